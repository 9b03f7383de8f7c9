/** What a deal came to: how it ended, what that was worth, the hands, who leads next. */

import { pipsOf } from "../geometry.js";
import { h } from "../keyed.js";
import { sideMark, tilePicture } from "../pictures.js";
import { eventOf, isExact, playsOf } from "../state.js";
import { dealEndSentence, endsSum, formatNumber, nameOf, sideName, t } from "../texts.js";
import { dialog } from "./dialog.js";
import { readyButtons } from "./ready.js";
import { dealScores, scoreTable } from "./score.js";

export function result(scene, act) {
  const { room } = scene;
  const ended = eventOf(room.deal, "deal_ended");
  if (!ended) return null;
  const title = t("result.title", { number: room.deal.number, how: dealEndSentence(ended, room) });
  return dialog(
    "result",
    title,
    act,
    [resultRows(room, ended), scoreTable(room), hands(room, ended), dealScores(room), nextLead(room, ended)],
    readyButtons(scene, act),
  );
}

export function resultRows(room, ended) {
  const last = playsOf(room.deal).at(-1);
  const bonusRows = bonuses(room, ended).map((bonus, side) => bonusRow(room, ended, bonus, side));
  const rows = [last && lastPlay(room, last), ...bonusRows];
  if (ended.dropped)
    rows.push(
      row(
        t("result.dropped", {
          sum: room.scores[room.seats[last.seat].side] + ended.dropped,
          event: ended.dropped,
          target: room.settings.target,
        }),
      ),
    );
  if (ended.reason === "blocked" && !isExact(room) && ended.bonus.every((bonus) => !bonus))
    rows.push(row(t("result.tie")));
  if (isExact(room)) rows.push(row(t("result.hands_do_not_count")));
  return h("ul", { class: "result-rows" }, rows.filter(Boolean));
}

function lastPlay(room, event) {
  const text = t("result.last_play", { name: nameOf(room, event.seat), tile: event.tile });
  return row(text, endsSum(room, event));
}

/** What the end of the deal was worth to each side; in an event that was not counted, too: the sum shows why. */
function bonuses(room, ended) {
  if (!ended.dropped || ended.seat === null) return ended.bonus;
  return ended.bonus.map((_, side) => (side === room.seats[ended.seat].side ? 1 : 0));
}

function bonusRow(room, ended, bonus, side) {
  if (!bonus) return null;
  if (isExact(room)) return row(t("result.out_bonus", { name: sideName(room, side) }), `+${formatNumber(bonus)}`);
  const pips = ended.hands.filter((_, seat) => !ended.bonus[room.seats[seat].side]).map(pipTotal);
  const left = pips.reduce((sum, count) => sum + count, 0);
  return row(
    t("result.bonus", { name: sideName(room, side) }),
    left === bonus ? `+${formatNumber(bonus)}` : `${formatNumber(left)} → +${formatNumber(bonus)}`,
  );
}

function row(text, value = "") {
  return h("li", {}, h("span", {}, text), h("b", {}, value));
}

/** All hands, face up now that the deal is over. */
export function hands(room, ended) {
  return h(
    "section",
    { class: "hands" },
    h("h3", {}, t("result.hands")),
    h(
      "ul",
      {},
      ended.hands.map((tiles, seat) =>
        h(
          "li",
          { key: seat },
          h("span", { class: "who" }, sideMark(room.seats[seat].side), h("bdi", {}, nameOf(room, seat))),
          h(
            "span",
            { class: "tiles" },
            tiles.length ? tiles.map((tile) => tilePicture(pipsOf(tile), { key: tile })) : t("result.out"),
          ),
          isExact(room) || !tiles.length
            ? null
            : h("b", { class: "pips-left" }, t("result.pips", { count: pipTotal(tiles) })),
        ),
      ),
    ),
  );
}

function pipTotal(tiles) {
  return tiles.flatMap(pipsOf).reduce((sum, pip) => sum + pip, 0);
}

function nextLead(room, { next_lead: lead }) {
  if (lead === null || lead === undefined) return null;
  const text = lead === "lot" ? t("result.next_lot") : t("result.next", { name: nameOf(room, lead) });
  return h("p", { class: "next-lead" }, text);
}
