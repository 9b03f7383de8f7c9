/** The score as several sheets show it: cards, and each score of the deal as a sum. */

import { h } from "../keyed.js";
import { sideMark } from "../pictures.js";
import { counts, playsOf } from "../state.js";
import { formatNumber, nameOf, playSum, sideLabel, t } from "../texts.js";

/** What each side has now. */
export function scoreTable(room) {
  return h(
    "ul",
    { class: "score-cards" },
    room.scores.map((score, side) =>
      h(
        "li",
        { key: side, class: `side-${side}` },
        sideMark(side),
        h("bdi", {}, sideLabel(room, side)),
        h("b", {}, formatNumber(score)),
      ),
    ),
  );
}

/** Every score of this deal, each as a sum. */
export function dealScores(room) {
  const scored = playsOf(room.deal).filter((event) => event.points || event.dropped);
  if (!counts(room) || !scored.length) return null;
  return h(
    "details",
    { class: "deal-scores" },
    h("summary", {}, t("result.each_score", { count: scored.length })),
    h(
      "ol",
      {},
      scored.map((event, number) =>
        h(
          "li",
          { key: number, class: event.dropped ? "dropped" : "" },
          sideMark(room.seats[event.seat].side),
          h("bdi", {}, nameOf(room, event.seat)),
          h("b", {}, event.tile),
          h("span", { class: "sum" }, playSum(room, event)),
          event.dropped ? h("span", { class: "note" }, t("moves.dropped", { target: room.settings.target })) : null,
        ),
      ),
    ),
  );
}
