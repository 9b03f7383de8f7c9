/** The score of the match: where each side stands, and each deal opened to every score that was made in it. */

import { h } from "../keyed.js";
import { sideMark } from "../pictures.js";
import { eventOf, isExact, playsOf, scoreBefore } from "../state.js";
import { moveLine } from "../table.js";
import { dealEndSentence, formatNumber, nameOf, playSum, sideLabel, t } from "../texts.js";
import { dialog } from "./dialog.js";

export function scores(scene, act) {
  const { room } = scene;
  const deals = dealsOf(scene).toReversed();
  return dialog("scores", t("sheet.scores"), act, [
    standings(room),
    deals.length
      ? deals.map((deal, number) => dealSection(deal, number === 0, act))
      : h("p", { class: "empty", key: "none" }, t("scores.none")),
    movesOf(scene),
  ]);
}

/** The facts of the score track as a table. */
function standings(room) {
  const { target } = room.settings;
  return h(
    "table",
    { class: "standings", key: "standings" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["side", "score", "to_go", "last_gain"].map((name) =>
          h("th", { key: name, scope: "col" }, t(`scores.${name}`)),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      room.scores.map((score, side) =>
        h(
          "tr",
          { key: side, class: `side-${side}` },
          h("th", { scope: "row" }, h("span", { class: "who" }, sideMark(side), h("bdi", {}, sideLabel(room, side)))),
          h("td", { class: "now" }, formatNumber(score)),
          h("td", {}, formatNumber(Math.max(0, target - score))),
          h("td", {}, gained(score - scoreBefore(room, side))),
        ),
      ),
    ),
  );
}

/**
 * The deals of the match, oldest first, each {number, room, ended, plays, starts, scores}: `room` names the people, as
 * they sat there if that was seen here; `plays` are those that scored or would have; `starts` and `scores` are what
 * each side had before and after, null where it is not known.
 */
function dealsOf({ room, results }) {
  const earlier = room.deals.map((deal) => {
    const kept = results[deal.number];
    return { ...deal, room: kept ?? room, kept: Boolean(kept), ended: deal, plays: kept ? scoring(kept) : deal.scored };
  });
  const ended = eventOf(room.deal, "deal_ended");
  const { number } = room.deal ?? {};
  const now = { number, room, kept: Boolean(ended), ended, plays: scoring(room), scores: room.scores };
  const deals = room.deal ? [...earlier, now] : earlier;
  return deals.map((deal, place) => ({ ...deal, starts: startOf(deal, deals[place - 1]) }));
}

function scoring(room) {
  return playsOf(room.deal).filter(({ points, dropped }) => points || dropped);
}

/** Of a very long match the first deals are not listed. */
function startOf({ number, scores: after }, before) {
  return before?.scores ?? (number === 1 ? after.map(() => 0) : null);
}

/** One deal: how it ended, and a row for each side. */
function dealSection(deal, isNewest, act) {
  const { number, room, ended, kept, scores: after } = deal;
  return h(
    "section",
    { class: "deal", key: `deal-${number}` },
    h(
      "h3",
      {},
      h("span", { class: "deal-number" }, t("deal", { number })),
      h("span", { class: "how" }, ended ? dealEndSentence(ended, room) : t("scores.running")),
    ),
    after.map((_, side) => sideRow(deal, side, isNewest)),
    kept
      ? h("button", { type: "button", class: "small", onclick: () => act.openResult(number) }, t("scores.result"))
      : null,
  );
}

/** What a side made of a deal; opens to each score. */
function sideRow(deal, side, isOpen) {
  const { room, starts, scores: after } = deal;
  const lines = linesOf(deal, side);
  const head = [
    sideMark(side),
    h("bdi", {}, sideLabel(room, side)),
    h("span", { class: "gain" }, starts ? gained(after[side] - starts[side]) : ""),
    h("b", {}, formatNumber(after[side])),
  ];
  const attrs = { key: side, class: `side-row side-${side}` };
  if (!lines.length) return h("div", attrs, h("p", { class: "side-head" }, head));
  return h(
    "details",
    { ...attrs, open: isOpen },
    h("summary", { class: "side-head" }, head),
    h("ol", { class: "score-lines" }, lines),
  );
}

function gained(points) {
  return points > 0 ? `+${formatNumber(points)}` : "–";
}

/** Each score of `side` in a line; what was not counted says why (F11). */
function linesOf({ room, ended, plays, starts }, side) {
  const own = plays.filter(({ seat }) => room.seats[seat].side === side);
  const befores = own.map((_, number) => starts && starts[side] + total(own.slice(0, number)));
  const lines = own.map((play, number) => playLine(room, play, befores[number], number));
  const bonus = isExact(room) ? 0 : (ended?.bonus[side] ?? 0); // there the point for going out is one with its play
  return bonus ? [...lines, bonusLine(bonus)] : lines;
}

function total(plays) {
  return plays.reduce((sum, { points }) => sum + points, 0);
}

/** Of an earlier deal only the total is known, unless its result was kept: then how it came about, too. */
function playLine(room, play, before, key) {
  const { seat, tile, parts, total: ends, points, dropped } = play;
  const event = points + dropped;
  return h(
    "li",
    { key, class: dropped ? "dropped" : "" },
    h("bdi", { class: "name" }, nameOf(room, seat)),
    tile ? h("b", {}, tile) : null,
    h("span", { class: "sum" }, parts ? playSum(room, play) : t("scores.total", { total: ends, points: event })),
    dropped ? h("span", { class: "note" }, whyDropped(room, event, before)) : null,
  );
}

function whyDropped({ settings: { target } }, event, before) {
  return before === null
    ? t("moves.dropped", { target })
    : t("scores.dropped", { before, event, sum: before + event, target });
}

function bonusLine(bonus) {
  return h(
    "li",
    { key: "bonus" },
    h("span", { class: "name" }, t("scores.bonus")),
    h("span", { class: "sum" }, gained(bonus)),
  );
}

/** On a phone the moves have no room beside the felt, so they stand here, too. */
function movesOf({ room, lines }) {
  if (!lines.length) return null;
  return h(
    "details",
    { class: "deal-moves", key: "moves" },
    h("summary", {}, t("scores.moves", { count: lines.length })),
    h(
      "ol",
      {},
      lines.map((line, number) => moveLine(room, line, number)),
    ),
  );
}
