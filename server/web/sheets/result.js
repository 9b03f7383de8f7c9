/** What a deal came to: how it ended, what that was worth, the hands, who leads next. */

import { h } from "../keyed.js";
import { backPicture, sideMark, tileImage, unbroken } from "../pictures.js";
import { draws, eventOf, isExact, ownSeat } from "../state.js";
import { dealEndSentence, nameOf, t } from "../texts.js";
import { dialog } from "./dialog.js";
import { endingRows, pipTotal } from "./ending.js";
import { readyButtons } from "./ready.js";
import { review } from "./review.js";
import { dealScores, practiceNote, scoreCards } from "./score.js";

/** The deal on the table; or, by `scene.resultOf`, an earlier one whose result was kept. */
export function result(scene, act) {
  const kept = scene.results[scene.resultOf];
  const room = kept ?? scene.results[scene.room.deal?.number] ?? scene.room;
  const ended = eventOf(room.deal, "deal_ended");
  if (!ended) return null;
  const title = t("result.title", { number: room.deal.number, how: dealEndSentence(ended, room) });
  const back = h("button", { type: "button", onclick: () => act.open("scores") }, t("result.to_scores"));
  const body = [...dealResult(room, ended), review(scene, room, act)];
  return dialog("result", title, act, body, kept ? [back] : readyButtons(scene, act));
}

/** All that there is to say about a deal that is over. */
export function dealResult(room, ended) {
  return [
    practiceNote(room),
    endingList(room, ended),
    scoreCards(room),
    hands(room, ended),
    dealScores(room),
    nextLead(room, ended),
  ];
}

/** How the deal ended and what that was worth. */
export function endingList(room, ended) {
  return h(
    "ul",
    { class: "result-rows", key: "rows" },
    endingRows(room, ended).map(({ text, value }, number) =>
      h("li", { key: number }, h("span", {}, unbroken(text)), value ? h("b", {}, value) : null),
    ),
  );
}

/** All hands, face up now that the deal is over; what was not dealt stays face down (C10). */
function hands(room, ended) {
  return h(
    "section",
    { class: "hands", key: "hands" },
    h("h3", {}, t("result.hands")),
    h(
      "ul",
      {},
      ended.hands.map((tiles, seat) => handRow(room, tiles, seat)),
    ),
    room.deal.stock ? undealt(room) : null,
  );
}

function handRow(room, tiles, seat) {
  return h(
    "li",
    { key: seat },
    h("span", { class: "who" }, sideMark(room.seats[seat].side), h("bdi", {}, nameOf(room, seat))),
    h("span", { class: "tiles" }, tiles.length ? tiles.map(tileImage) : t("result.out")),
    isExact(room) || !tiles.length
      ? null
      : h("b", { class: "pips-left" }, t("result.pips", { count: pipTotal(tiles) })),
  );
}

function undealt(room) {
  const text = t(draws(room) ? "result.boneyard" : "result.undealt", { count: room.deal.stock });
  return h("p", { class: "undealt" }, backPicture(), h("span", {}, text));
}

/** Who leads the next deal, and why (F10, A14, B7). */
function nextLead(room, { next_lead: lead }) {
  if (lead === null || lead === undefined) return null;
  return h("p", { class: "next-lead", key: "next" }, lead === "lot" ? t("result.next_lot") : leadSentence(room, lead));
}

function leadSentence(room, lead) {
  const name = nameOf(room, lead);
  const { lead: before } = room.deal;
  if (!isExact(room)) return t("result.next_out", { name });
  return before === ownSeat(room)
    ? t("result.next_left_of_you", { name })
    : t("result.next_left", { name, other: nameOf(room, before) });
}
