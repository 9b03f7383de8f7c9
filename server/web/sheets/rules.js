/** The rules of the game that is played, for somebody who has never played, with drawn examples. */

import { h } from "../keyed.js";
import { sideMark, tileImage } from "../pictures.js";
import { branches, counts, draws, isExact } from "../state.js";
import { formatNumber, playSum, t } from "../texts.js";
import { duration } from "../screens/form.js";
import { dialog } from "./dialog.js";
import { layoutPicture, markPicture } from "./drawing.js";
import { pipTotal, rounded } from "./ending.js";
import { COUNTS, LAYOUTS } from "./examples.js";

const SET = 28;
const HAND_SIZES = { "fives-threes": [7, 5, 5], "all-fives": [9, 7, 5], block: [7, 5, 5], draw: [7, 5, 5] }; // F1, A1, B2
const TOTALS = [3, 5, 6, 9, 10, 12, 15, 18, 20];
const TARGET = 61; // of the drawn example

export function rules({ room }, act) {
  return dialog("rules", t(`game.${room.settings.game}`), act, sections(room).filter(Boolean));
}

function sections(room) {
  const { game, target, seats, lead, turn_timer: timer } = room.settings;
  const hand = HAND_SIZES[game][seats - 2];
  const time = timer ? duration(timer) : "";
  const slots = { target, hand: t("rules.hand", { count: hand }), count: SET - hand * seats, time };
  const say = (key) => h("p", { key }, t(key, slots));
  const layouts = figures(LAYOUTS[game].map((example) => layoutFigure(room, example)));
  return [
    section("aim", say(`rules.${game}.aim`)),
    section("tiles", say("rules.tiles.text"), say(draws(room) ? "rules.deal.drawing" : "rules.deal.plain")),
    seats === 4 ? section("partners", say("rules.partners.text")) : null,
    section("start", say(lead === "lot" ? "rules.start.lot" : "rules.start.seat"), say("rules.start.any")),
    section(
      "turn",
      say("rules.turn.text"),
      say(draws(room) ? "rules.turn.draw" : "rules.turn.knock"),
      say("rules.turn.here"),
      timer ? say("rules.turn.timer") : null,
    ),
    counts(room) ? null : layouts,
    section("score", say(`rules.${game}.score`), isExact(room) ? pointsTable() : null, counts(room) ? marks() : null),
    counts(room) ? layouts : null,
    section("end", ending(room).map(say)),
    figures(COUNTS[game].filter(({ hands }) => hands.length === room.scores.length).map((count) => countFigure(count))),
    section("win", say(`rules.${game}.win`)),
    section("next", say(isExact(room) ? "rules.next.left" : "rules.next.out")),
  ];
}

function section(name, ...content) {
  return h("section", { key: name }, h("h3", {}, t(`rules.${name}`)), content);
}

/** The texts on how a deal ends. */
function ending(room) {
  const partners = room.settings.seats === 4;
  if (isExact(room))
    return [
      partners ? "rules.end.out_both" : "rules.end.out_one",
      "rules.end.block_without",
      "rules.end.hands_do_not_count",
    ];
  const keys = counts(room)
    ? ["rules.end.takes_rounded", "rules.end.block_rounded"]
    : ["rules.end.takes", "rules.end.block"];
  return partners ? [...keys, "rules.end.partners"] : keys;
}

/** What each total is worth in Fives and Threes (F3). */
function pointsTable() {
  const row = (name, number) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, t(`rules.${name}`)),
      TOTALS.map((total) => h("td", { key: total }, formatNumber(number(total)))),
    );
  return h(
    "table",
    { class: "points" },
    h(
      "tbody",
      {},
      row("total", (total) => total),
      row("points", worth),
    ),
  );
}

function worth(total) {
  return [3, 5].reduce((points, divisor) => points + (total % divisor ? 0 : total / divisor), 0);
}

/** The two looks of an end. */
function marks() {
  return h(
    "ul",
    { class: "marks-explained" },
    h("li", {}, markPicture(4), h("span", {}, t("rules.mark.counts"))),
    h("li", {}, markPicture(null), h("span", {}, t("rules.mark.ring"))),
  );
}

function figures(drawn) {
  return drawn.length ? h("div", { class: "figures" }, drawn) : null;
}

function layoutFigure(room, example) {
  const { key, parts, before } = example;
  const event = parts.reduce((sum, { points }) => sum + points, 0);
  const slots = { before, event, sum: before + event, target: TARGET };
  const sum = playSum(room, example);
  return h(
    "figure",
    { key },
    h("div", { class: "figure-felt" }, layoutPicture(example, branches(room), counts(room))),
    h(
      "figcaption",
      {},
      sum ? h(before === undefined ? "b" : "s", { class: "sum" }, sum) : null,
      h("span", {}, t(`rules.example.${key}`, slots)),
    ),
  );
}

/** Hands that are left in a blocked deal, and what they give. */
function countFigure({ key, hands, bonus }) {
  const pips = hands.map(pipTotal);
  const sum = rounded(
    pips.slice(key === "two_lightest" ? 2 : 1),
    bonus.reduce((all, gain) => all + gain, 0),
  );
  return h(
    "figure",
    { key: `${key} ${hands.length}` },
    h(
      "ul",
      { class: "figure-hands" },
      hands.map((tiles, seat) => handLine(tiles, seat, bonus[seat])),
    ),
    h(
      "figcaption",
      {},
      bonus.some(Boolean) ? h("b", { class: "sum" }, sum) : null,
      h("span", {}, t(`rules.example.${key}`, { points: bonus[0] })),
    ),
  );
}

function handLine(tiles, seat, gain) {
  return h(
    "li",
    { key: seat, class: `side-${seat}` },
    h("span", { class: "who" }, sideMark(seat), t("rules.player", { number: seat + 1 })),
    h("span", { class: "tiles" }, tiles.map(tileImage)),
    h("span", { class: "pips-left" }, t("result.pips", { count: pipTotal(tiles) })),
    h("b", {}, gain ? `+${formatNumber(gain)}` : ""),
  );
}
