/** What the server says of each play of a turn, and where the unseen tiles may be: nothing that is hidden. */

import { END_LETTERS } from "../geometry.js";
import { h } from "../keyed.js";
import { lineIcon, tileImage } from "../pictures.js";
import { adviceFor, counts } from "../state.js";
import { formatNumber, formatPercent, hasText, nameOf, t } from "../texts.js";
import { dialog } from "./dialog.js";
import { tileMap, unseenIn } from "./map.js";

const BARS = "M5 19v-8M12 19V5M19 19v-5";

export function advice(scene, act) {
  const found = adviceFor(scene);
  if (!found) return null;
  const { actions, map } = found;
  return dialog("advice", t("advice.title"), act, [
    h(
      "ol",
      { class: "advice-plays", key: "plays" },
      actions.map((entry, number) => play(scene, entry, number, found, act)),
    ),
    h("p", { class: "muted", key: "note" }, t(actions[0].chance === undefined ? "advice.no_odds" : "advice.note")),
    map ? tileMap(scene, map, act) : null,
  ]);
}

/** The button beside what a hint has chosen, for all else that was said; null where no hint is shown. */
export function adviceOpener(scene, act) {
  if (!scene.choice.hint || !adviceFor(scene)) return null;
  const label = t("advice.open");
  return h(
    "button",
    {
      key: "opener",
      type: "button",
      class: "quiet opener",
      "data-testid": "advice",
      "aria-label": label,
      title: label,
      onclick: () => act.open("advice"),
    },
    lineIcon(BARS),
  );
}

/** One action; a press chooses it and no more. */
function play({ room }, entry, number, { actions, map }, act) {
  const { action, chance, points, close } = entry;
  const isClose = actions.some((other) => other.close);
  const unseen = map ? unseenIn(map) : 0;
  const choose = () => {
    act.closeSheet();
    act.choose({ type: "hint", ...entry });
  };
  return h(
    "li",
    { key: `${action.type} ${action.tile} ${action.end}` },
    h(
      "button",
      { type: "button", class: number ? "advice-play" : "advice-play best", onclick: choose },
      h("span", { class: "what" }, action.tile ? tileImage(action.tile) : null, h("b", {}, nameOfAction(action))),
      chance === undefined ? null : odds(chance, points),
      h("span", { class: "why" }, reasonOf(room, entry)),
      mark(number, close, isClose),
      facts(room, entry, unseen),
    ),
  );
}

/** "5-2 at B", "draw". */
export function nameOfAction({ type, tile, end }) {
  if (type !== "play") return t(`advice.${type}`);
  return end === null ? tile : t("advice.at", { tile, end: END_LETTERS[end] });
}

function odds(chance, points) {
  return h(
    "span",
    { class: "odds" },
    h("b", {}, formatPercent(chance)),
    h("span", { class: "bar", "aria-hidden": "true", style: { "--part": String(chance) } }),
    h("small", {}, t("advice.points", { points: signed(points) })),
  );
}

/** "+2.3", "−0.4". */
export function signed(points) {
  const rounded = Math.round(points * 10) / 10;
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${formatNumber(Math.abs(rounded))}`;
}

function mark(number, close, isClose) {
  const key = number === 0 ? (isClose ? "advice.best_close" : "advice.best") : close ? "advice.close" : null;
  return key && h("span", { class: `tag${number ? "" : " best"}` }, t(key));
}

/** What speaks for the action or against it, beside the others. */
function reasonOf(room, { reason, answers = 0 }) {
  const key = [`advice.reason.${reason}`, `hint.${reason}`].find(hasText) ?? "hint.even";
  return t(key, { target: room.settings.target, count: answers });
}

function facts(room, { answers, shut = [], reply }, unseen) {
  if (answers === undefined) return null;
  const texts = [
    t("advice.answers", { count: answers, unseen }),
    ...shut.map((seat) => t("advice.shut", { name: nameOf(room, seat) })),
    reply && counts(room) ? t("advice.reply", { total: reply.total, count: reply.points }) : null,
  ];
  return h("small", { class: "facts" }, texts.filter(Boolean).join("\u00a0· "));
}
