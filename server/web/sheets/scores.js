/** The score of the match, deal by deal, and of this deal, play by play. */

import { h } from "../keyed.js";
import { sideMark } from "../pictures.js";
import { eventOf, playsOf } from "../state.js";
import { dealEndSentence, formatNumber, nameOf, playSum, sideLabel, t } from "../texts.js";
import { dialog } from "./dialog.js";
import { dealScores, scoreTable } from "./score.js";

export function scores({ room }, act) {
  return dialog("scores", t("sheet.scores"), act, [
    scoreTable(room),
    dealTable(room),
    dealScores(room),
    movesTable(room),
  ]);
}

/** One row for each deal with what each side had after it. */
export function dealTable(room) {
  const ended = eventOf(room.deal, "deal_ended");
  const deals = [...room.deals, ...(ended ? [{ number: room.deal.number, ...ended }] : [])];
  if (!deals.length) return h("p", { class: "empty" }, t("scores.none"));
  return h(
    "table",
    { class: "deals" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", {}, t("scores.deal")),
        h("th", {}, t("scores.end")),
        room.scores.map((_, side) =>
          h("th", { key: side }, h("span", { class: "who" }, sideMark(side), h("bdi", {}, sideLabel(room, side)))),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      deals.map((deal, number) => dealRow(room, deal, deals[number - 1])),
    ),
  );
}

function dealRow(room, deal, before) {
  return h(
    "tr",
    { key: deal.number },
    h("th", {}, formatNumber(deal.number)),
    h("td", {}, dealEndSentence(deal, room)),
    deal.scores.map((score, side) => {
      const start = deal.number === 1 ? 0 : before?.scores[side];
      const gain = start === undefined ? 0 : score - start; // of a very long match the first deals are not listed
      return h(
        "td",
        { key: side, class: "score" },
        h("b", {}, formatNumber(score)),
        gain > 0 ? h("span", { class: "gain" }, `+${formatNumber(gain)}`) : null,
      );
    }),
  );
}

/** On a phone the moves have no room beside the felt, so they stand here. */
function movesTable(room) {
  const plays = playsOf(room.deal);
  if (!plays.length) return null;
  return h(
    "section",
    { class: "deal-moves" },
    h("h3", {}, t("moves")),
    h(
      "ol",
      {},
      plays.map((event, number) =>
        h(
          "li",
          { key: number },
          sideMark(room.seats[event.seat].side),
          h("bdi", {}, nameOf(room, event.seat)),
          h("b", {}, event.tile),
          h("span", { class: "sum" }, playSum(room, event)),
        ),
      ),
    ),
  );
}
