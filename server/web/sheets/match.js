/** What the match came to. */

import { h } from "../keyed.js";
import { scoreTrack, sideMark } from "../pictures.js";
import { eventOf, isHost } from "../state.js";
import { dealEndSentence, formatNumber, plainName, sentence, sideLabel, t } from "../texts.js";
import { dialog } from "./dialog.js";
import { readyButtons } from "./ready.js";
import { dealResult } from "./result.js";
import { review } from "./review.js";
import { practiceNote, scoreCards } from "./score.js";

/** The people are those who sat there at the end, whoever has changed places since. */
export function match(scene, act) {
  const now = scene.room;
  const ended = eventOf(now.deal, "match_ended");
  if (!ended) return null;
  const then = scene.results[now.deal.number] ?? now;
  return dialog(
    "match",
    sentence(ended, then, then),
    act,
    [
      practiceNote(then),
      scoreCards(then, ended.winner),
      h("div", { key: "track" }, scoreTrack(then)),
      dealTable(then),
      lastDeal(then),
      review(scene, then, act),
      placesToSwap(scene, act),
    ],
    [...readyButtons(scene, act), replayLink(ended, act), home(act)],
  );
}

function replayLink({ record }, act) {
  const open = (event) => {
    event.preventDefault();
    act.go(`/r/${record}`);
  };
  return h("a", { key: "replay", class: "button", href: `/r/${record}`, onclick: open }, t("replay"));
}

function home(act) {
  return h("button", { key: "home", type: "button", onclick: act.leave }, t("leave.home"));
}

/** Each deal with how it ended, and what each side had after it. */
export function dealTable(room) {
  const ended = eventOf(room.deal, "deal_ended");
  const deals = [...room.deals, ...(ended ? [{ number: room.deal.number, ...ended }] : [])];
  if (!deals.length) return null;
  return h(
    "table",
    { class: "deals", key: "deals" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        room.scores.map((_, side) =>
          h(
            "th",
            { key: side, scope: "col", class: `side-${side}` },
            h("span", { class: "who" }, sideMark(side), h("bdi", {}, sideLabel(room, side))),
          ),
        ),
      ),
    ),
    deals.map((deal, number) => dealRows(room, deal, deals[number - 1])),
  );
}

/** How it ended stands above the scores, across the table: beside them a phone has no room for it. */
function dealRows(room, deal, before) {
  const how = [
    h("b", {}, t("deal", { number: deal.number })),
    " ",
    h("span", { class: "how" }, dealEndSentence(deal, room)),
  ];
  return h(
    "tbody",
    { key: deal.number },
    h("tr", {}, h("th", { scope: "rowgroup", colspan: room.scores.length }, how)),
    h(
      "tr",
      {},
      deal.scores.map((score, side) => {
        const start = deal.number === 1 ? 0 : before?.scores[side];
        const gain = start === undefined ? 0 : score - start; // of a very long match the first deals are not listed
        return h(
          "td",
          { key: side, class: "score" },
          h("b", {}, formatNumber(score)),
          " ",
          gain > 0 ? h("span", { class: "gain" }, `+${formatNumber(gain)}`) : null,
        );
      }),
    ),
  );
}

function lastDeal(room) {
  const ended = eventOf(room.deal, "deal_ended");
  if (!ended) return null;
  return h(
    "details",
    { class: "last-deal", key: "last" },
    h("summary", {}, t("match.last_deal", { number: room.deal.number })),
    dealResult(room, ended),
  );
}

/** Before the same people play again the host may have two of them change places. */
function placesToSwap({ room, player, swapping }, act) {
  if (!isHost(room, player) || room.seats.length === 2) return null;
  return h(
    "details",
    { class: "swap-seats", key: "swap" },
    h("summary", {}, t("match.swap")),
    h(
      "ul",
      {},
      room.seats.map((seat) => {
        const { label, press } = swapStep(swapping, seat.seat, act);
        return h(
          "li",
          { key: seat.seat, class: `side-${seat.side}` },
          h(
            "span",
            { class: "who" },
            sideMark(seat.side),
            h("bdi", {}, seat.state === "empty" ? t("seat.empty") : plainName(seat)),
          ),
          h("button", { type: "button", class: "small", onclick: press }, label),
        );
      }),
    ),
  );
}

function swapStep(swapping, seat, act) {
  if (swapping === null) return { label: t("swap"), press: () => act.swapFrom(seat) };
  if (swapping === seat) return { label: t("cancel"), press: () => act.swapFrom(null) };
  return { label: t("swap.here"), press: () => act.swapTo(seat) };
}
