/** What the own plays of a deal that is over have cost, and what would have been better. */

import { h } from "../keyed.js";
import { lineIcon, tileImage } from "../pictures.js";
import { branches, counts, isLocal, playsOf } from "../state.js";
import { formatPercent, nameOf, t } from "../texts.js";
import { nameOfAction, signed } from "./advice.js";
import { layoutPicture } from "./drawing.js";

const MARKS = {
  blunder: "M12 4v9M12 18v.01",
  cost: "M6 12h12",
  fine: "M5 13l4 4 10-10",
};

/** The reviews of the deal that `room` shows the end of, and buttons for those that can be had. */
export function review(scene, room, act) {
  const seats = scene.room.you.seats.filter((seat) => isLocal(room) || `${seat}` in room.deal.hands);
  const isOnTable = room.deal.number === scene.room.deal?.number && scene.room.phase !== "playing";
  const parts = seats.map((seat) => {
    const found = scene.reviews.find((other) => other.deal === room.deal && other.seat === seat);
    if (found) return reviewed(room, seat, found.answer, seats.length > 1);
    return isOnTable ? ask(scene, room, seat, seats.length > 1, act) : null;
  });
  return parts.some(Boolean) ? h("section", { class: "review", key: "review", "data-testid": "review" }, parts) : null;
}

function ask({ reviewing, online }, room, seat, isNamed, act) {
  const text = isNamed ? t("review.ask_of", { name: nameOf(room, seat) }) : t("review.ask");
  const attrs = {
    key: `ask-${seat}`,
    type: "button",
    "data-testid": `review-${seat}`,
    disabled: !online || reviewing,
    onclick: () => act.review(room.deal, seat),
  };
  return h("button", attrs, reviewing ? t("review.looking") : text);
}

function reviewed(room, seat, answer, isNamed) {
  const own = playsOf(room.deal).filter((event) => event.seat === seat);
  return h(
    "div",
    { key: `seat-${seat}` },
    h("h3", { key: "title" }, isNamed ? t("review.title_of", { name: nameOf(room, seat) }) : t("review.title")),
    h("ul", { key: "luck", class: "result-rows" }, luck(answer)),
    h(
      "ol",
      { class: "review-plays", key: "plays" },
      answer.plays.map((play, number) => line(room, play, own[number], number)),
    ),
  );
}

/** What the side made; and, where that can be told, how much of it was luck. */
function luck({ result, par }) {
  const rows = { result, ...(par === null ? {} : { par, skill: result - par }) };
  return Object.entries(rows).map(([name, points]) =>
    h("li", { key: name }, h("span", {}, t(`review.${name}`)), h("b", {}, signed(points))),
  );
}

function kindOf({ blunder, close, regret }) {
  if (blunder) return "blunder";
  return close || regret < 0.005 ? "fine" : "cost";
}

function line(room, play, event, key) {
  const kind = kindOf(play);
  return h(
    "li",
    { key, class: kind },
    h("span", { class: "mark" }, lineIcon(MARKS[kind])),
    h("span", { class: "what" }, tileImage(play.action.tile), h("b", {}, nameOfAction(play.action))),
    h("span", { class: "cost" }, verdict(play, kind)),
    kind === "fine" ? null : better(room, play, event),
  );
}

function verdict({ chance, close, regret }, kind) {
  if (chance === undefined) return t("review.no_choice");
  if (kind === "fine") return t(close ? "review.close" : "review.best");
  return t(kind === "blunder" ? "review.blunder" : "review.cost", { part: formatPercent(regret) });
}

/** The better play, laid on the line as it was then. */
function better(room, { best }, event) {
  const plays = playsOf(room.deal);
  const before = plays.slice(0, plays.indexOf(event));
  const label = t("review.better", { play: nameOfAction(best) });
  return h(
    "details",
    { key: "better" },
    h("summary", {}, label),
    h(
      "div",
      { class: "figure-felt" },
      layoutPicture({ plays: [...before, best], ends: [], marked: best.tile, label }, branches(room), counts(room)),
    ),
  );
}
