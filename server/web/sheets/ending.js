/** How a deal ended and what that was worth, in rows of a text and a value: the last act, the count of the hands. */

import { END_LETTERS, pipsOf } from "../geometry.js";
import { actsOf, counts, isExact, playsOf, seatsOf } from "../state.js";
import { endsSum, formatList, formatNumber, nameOf, sideName, sumOf, t } from "../texts.js";

const OUT = 1; // by what the point for going out arises

/** The rows for `ended`, the `deal_ended` of the deal on the table; each {text, value}, the value may be empty. */
export function endingRows(room, ended) {
  return [...lastAct(room), ...(isExact(room) ? outRows(room, ended) : countRows(room, ended))];
}

/** The pips of some tiles together. */
export function pipTotal(tiles) {
  return total(tiles.flatMap(pipsOf));
}

function total(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function row(text, value = "") {
  return { text, value };
}

function lastAct(room) {
  const act = actsOf(room.deal).at(-1);
  if (!act) return [];
  const name = nameOf(room, act.seat);
  if (act.type !== "played")
    return [row(t(act.type === "drew" ? "result.last_drew" : "result.last_knocked", { name }))];
  const { tile, end } = act;
  const text = end
    ? t("result.last_play", { name, tile, end: END_LETTERS[end] })
    : t("result.last_opening", { name, tile });
  return [row(text, counts(room) ? endsSum(room, act) : "")];
}

/** Fives and Threes: going out belongs to the last play, and hands do not count (F4-F8). */
function outRows(room, ended) {
  const rows = [];
  if (
    ended.reason === "out" ||
    playsOf(room.deal)
      .at(-1)
      ?.parts.some(({ by }) => by === OUT)
  ) {
    const name = sideName(room, room.seats[ended.seat].side);
    rows.push(row(t(room.seats.length === 4 ? "result.out_both" : "result.out_one", { name }), gain(1)));
  }
  if (ended.reason === "blocked") rows.push(row(t("result.block_gives_nothing")));
  if (ended.dropped) rows.push(row(dropped(room, ended)));
  return [...rows, row(t("result.hands_do_not_count"))];
}

function dropped(room, { dropped: event, scores, seat }) {
  const before = scores[room.seats[seat].side];
  return t("result.dropped", { before, event, sum: before + event, target: room.settings.target });
}

/** The games in which the pips left in hand are counted (A8-A12, B4, B5). */
function countRows(room, ended) {
  if (ended.reason === "target") return [row(t("result.target_at_once"))];
  const hands = room.scores.map((_, side) => seatsOf(room, side).map(({ seat }) => pipTotal(ended.hands[seat])));
  if (ended.reason === "out") return takings(room, ended, hands, room.seats[ended.seat].side);
  const totals = hands.map(total);
  const least = Math.min(...totals);
  const lowest = totals.flatMap((pips, side) => (pips === least ? [side] : []));
  const names = formatList(lowest.map((side) => sideName(room, side)));
  const fewest = row(t("result.fewest", { name: names, count: lowest.length }), formatNumber(least));
  if (lowest.length === 1) return [fewest, ...takings(room, ended, hands, lowest[0])];
  return [fewest, ...(ended.bonus.some(Boolean) ? halves(room, ended, totals, lowest) : [row(t("result.tie"))])];
}

/** One side gets what the others hold, rounded where the game has it so: "9 + 8 = 17 → 15". */
function takings(room, ended, hands, side) {
  const others = hands.flatMap((own, other) => (other === side ? [] : own));
  const bonus = ended.bonus[side];
  return [
    row(t(counts(room) ? "result.others_rounded" : "result.others"), rounded(others, bonus)),
    row(t("result.gains", { name: sideName(room, side) }), gain(bonus)),
  ];
}

/** Two of three hold least: the third hand, rounded, is halved between them (A11). */
function halves(room, ended, totals, lowest) {
  const third = totals.findIndex((_, side) => !lowest.includes(side));
  const share = ended.bonus[lowest[0]];
  return [
    row(t("result.third_rounded", { name: sideName(room, third) }), rounded([totals[third]], 2 * share)),
    row(t("result.halved"), `${formatNumber(2 * share)} / 2 = ${formatNumber(share)}`),
    ...lowest.map((side) => row(t("result.gains", { name: sideName(room, side) }), gain(share))),
  ];
}

/** "9 + 8 = 17 → 15": what some hands are together, and what that is worth where it is rounded. */
export function rounded(terms, worth) {
  return total(terms) === worth ? sumOf(terms) : `${sumOf(terms)} → ${formatNumber(worth)}`;
}

function gain(points) {
  return `+${formatNumber(points)}`;
}
