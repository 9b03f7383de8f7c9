/** The score as several sheets show it: cards, and each score of the deal as a sum. */

import { h } from "../keyed.js";
import { sideMark } from "../pictures.js";
import { counts, playsOf } from "../state.js";
import { formatNumber, nameOf, playSum, sideLabel, t } from "../texts.js";

/** What each side has now, what it gained in this deal, and how far it is from the target; `winner`: who has won. */
export function scoreCards(room, winner = null) {
  return h(
    "ul",
    { class: "score-cards", key: "cards" },
    room.scores.map((score, side) => {
      const gain = score - scoreAtStart(room, side);
      return h(
        "li",
        { key: side, class: `side-${side}${side === winner ? " winner" : ""}` },
        sideMark(side),
        h("bdi", {}, sideLabel(room, side)),
        h("b", {}, formatNumber(score), gain > 0 ? h("span", { class: "gain" }, `+${formatNumber(gain)}`) : null),
        h("span", { class: "to-go" }, side === winner ? t("match.winner") : toGo(room, score)),
      );
    }),
  );
}

/** Of a match that was begun again: its deals were known. */
export function practiceNote({ practice }) {
  return practice ? h("p", { class: "practice-note muted", key: "practice" }, t("practice.text")) : null;
}

function toGo({ settings: { target } }, score) {
  return t("to_go", { count: Math.max(0, target - score) });
}

/** The score of `side` when the deal on the table began. */
export function scoreAtStart(room, side) {
  return room.deals.at(-1)?.scores[side] ?? 0;
}

/** Every score of this deal, each as a sum. */
export function dealScores(room) {
  const scored = playsOf(room.deal).filter((event) => event.points || event.dropped);
  if (!counts(room) || !scored.length) return null;
  return h(
    "details",
    { class: "deal-scores", key: "scores" },
    h("summary", {}, t("result.each_score", { count: scored.length })),
    h(
      "ol",
      {},
      scored.map((event, number) => scoreLine(room, event, number)),
    ),
  );
}

/** A play and what it was worth; one that was not counted says why (F11). */
export function scoreLine(room, event, key) {
  const side = room.seats[event.seat].side;
  return h(
    "li",
    { key, class: event.dropped ? "dropped" : "" },
    sideMark(side),
    h("bdi", {}, nameOf(room, event.seat)),
    event.tile ? h("b", {}, event.tile) : null,
    h("span", { class: "sum" }, event.parts ? playSum(room, event) : t("scores.total", event)),
    event.dropped ? h("span", { class: "note" }, t("moves.dropped", { target: room.settings.target })) : null,
  );
}
