/** The table while a match is on: who sits there, the score, the felt, the moves, the hand. */

import { actions } from "./actions.js";
import { board } from "./board.js";
import { END_LETTERS } from "./geometry.js";
import { hand } from "./hand.js";
import { h } from "./keyed.js";
import { backPicture, icon, scoreTrack, sideMark } from "./pictures.js";
import { counts, eventOf, isPartner, lastActOf, otherSeats, ownHand, ownSeat } from "./state.js";
import { formatNumber, nameOf, plainName, playSum, previewSentence, sentence, sideLabel, t } from "./texts.js";
import { chosenOffer, DRAW, KNOCK, PREVIEW, SENDING, TILE, TURN } from "./turn.js";

/** The whole screen. `scene` is that of `board`, with `link` (the state of the line), `online`, `reactions` by seat. */
export function table(scene, act) {
  const { room } = scene;
  return h(
    "main",
    { class: `table-page${ownSeat(room) === null ? " watching" : ""}`, key: "table" },
    h("a", { class: "skip", href: "#hand", onclick: act.focusHand }, t("skip")),
    header(scene, act),
    h(
      "section",
      { class: "seats", key: "seats", "aria-label": t("seats") },
      otherSeats(room).map((seat) => seatPanel(scene, seat)),
    ),
    scoreNumbers(room),
    h("div", { class: "track-place", key: "track" }, scoreTrack(room)),
    board(scene, act),
    h("p", { class: `status ${statusTone(scene)}`, key: "status", "data-testid": "status" }, statusText(scene)),
    ownPanel(scene),
    hand(scene, act),
    actions(scene, act),
    endsLine(room),
    moves(room),
  );
}

function header({ room, link }, act) {
  const { game, target } = room.settings;
  const open = (name) =>
    h("button", { key: name, type: "button", class: "quiet", onclick: () => act.open(name) }, t(`sheet.${name}`));
  return h(
    "header",
    { class: "table-head", key: "head" },
    h(
      "button",
      { type: "button", class: "quiet menu", "aria-label": t("menu"), onclick: () => act.open("menu") },
      icon("menu"),
    ),
    h("h1", {}, h("span", { class: "brand" }, t("brand")), h("span", { class: "code" }, room.room)),
    h("p", { class: "game" }, t("game.to", { game: t(`game.${game}`), target })),
    h("nav", { "aria-label": t("sheets") }, open("invite"), open("rules"), open("scores")),
    linkDot(link),
  );
}

function linkDot(link) {
  return h(
    "p",
    { class: `link ${link}`, key: "link" },
    h("span", { class: "dot", "aria-hidden": "true" }),
    h("span", { class: "link-text" }, t(`link.${link}`)),
  );
}

function seatPanel(scene, seat) {
  const { room, reactions } = scene;
  const inTurn = room.turn?.seat === seat.seat && room.phase === "playing";
  return h(
    "article",
    {
      key: seat.seat,
      class: `seat-panel side-${seat.side}${inTurn ? " in-turn" : ""} ${seat.state}`,
      "data-testid": `seat-${seat.seat}`,
      "data-seat": seat.seat,
    },
    h("p", { class: "who" }, sideMark(seat.side), h("bdi", { class: "name" }, plainName(seat))),
    h(
      "p",
      { class: "state" },
      tilesLeft(seat),
      tags(room, seat),
      h("span", { class: "last-act" }, inTurn ? t("to_play") : lastAct(room, seat.seat)),
    ),
    bubble(reactions, seat.seat),
  );
}

function tags(room, seat) {
  const words = [
    isPartner(room, seat.seat) && "partner",
    seat.bot && "cpu",
    seat.state === "away" && "away",
    seat.state === "bot_in" && "bot_in",
    room.phase !== "playing" && room.phase !== "lobby" && seat.ready && "ready",
  ].filter(Boolean);
  const short = { partner: t("tag.partner.short") };
  return words.map((word) =>
    h("span", { key: word, class: `tag ${word}`, "data-short": short[word] }, t(`tag.${word}`)),
  );
}

function tilesLeft({ tiles }) {
  return h(
    "span",
    { class: "tiles-left", role: "img", "aria-label": t("tiles_left", { count: tiles ?? 0 }) },
    backPicture(),
    h("b", {}, formatNumber(tiles ?? 0)),
  );
}

function lastAct(room, number) {
  const seat = room.seats[number];
  if (seat.coming) return t("coming", { name: seat.coming });
  if (room.phase === "playing" && seat.tiles === 0 && room.seats.length === 4) return t("out_partner_plays");
  const act = lastActOf(room.deal, number);
  if (!act) return "";
  return act.type === "played" ? act.tile : t(`act.${act.type}`);
}

function ownPanel(scene) {
  const { room, reactions } = scene;
  const own = ownSeat(room);
  if (own === null) return h("p", { class: "own-panel", key: "own" }, t("watching", { count: room.watchers.length }));
  const inTurn = room.turn?.seat === own && room.phase === "playing";
  return h(
    "div",
    { class: `own-panel${inTurn ? " in-turn" : ""}`, key: "own", "data-testid": `seat-${own}`, "data-seat": own },
    sideMark(room.seats[own].side),
    h("span", {}, t("hand.label", { count: ownHand(room).length })),
    room.watchers.length ? h("span", { class: "tag" }, t("watchers", { count: room.watchers.length })) : null,
    bubble(reactions, own),
  );
}

function bubble(reactions, seat) {
  const key = reactions[seat];
  return key ? h("p", { class: "bubble", key: "bubble" }, icon(key), t(`reaction.${key}`)) : null;
}

function scoreNumbers(room) {
  return h(
    "ul",
    { class: "numbers", key: "numbers", "aria-label": t("sheet.scores") },
    room.scores.map((score, side) =>
      h(
        "li",
        { key: side, class: `side-${side}` },
        sideMark(side),
        h("bdi", { class: "name" }, sideLabel(room, side)),
        h("b", { "data-testid": `score-${side}` }, formatNumber(score)),
        h("span", { class: "to-go" }, t("to_go", { count: Math.max(0, room.settings.target - score) })),
      ),
    ),
  );
}

/** Each act of the deal in a line with its sum, newest last. Stays at its end unless it was scrolled back. */
function moves(room) {
  const acts = (room.deal?.events ?? []).filter(({ type }) => ["played", "drew", "knocked"].includes(type));
  return h(
    "section",
    { class: "moves", key: "moves", "aria-label": t("moves") },
    h(
      "h2",
      {},
      t("moves"),
      room.deal ? h("span", { class: "deal-number" }, t("deal", { number: room.deal.number })) : null,
    ),
    h(
      "ol",
      { "data-testid": "moves", tabindex: 0, attach: keepAtEnd },
      acts.length
        ? acts.map((event, number) => moveLine(room, event, number))
        : h("li", { class: "empty" }, t("moves.none")),
    ),
  );
}

function keepAtEnd(list) {
  let atEnd = true;
  list.addEventListener("scroll", () => {
    atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
  });
  new MutationObserver(() => {
    if (atEnd) list.scrollTop = list.scrollHeight;
  }).observe(list, { childList: true });
  list.scrollTop = list.scrollHeight;
}

function moveLine(room, event, number) {
  const what = event.type === "played" ? event.tile : t(`act.${event.type}`);
  return h(
    "li",
    { key: number, class: event.dropped ? "dropped" : event.points ? "scored" : "" },
    h("span", { class: "count" }, formatNumber(number + 1)),
    sideMark(room.seats[event.seat].side),
    h("bdi", { class: "name" }, nameOf(room, event.seat)),
    h("b", {}, what),
    h("span", { class: "sum" }, event.type === "played" ? playSum(room, event) : ""),
    event.dropped ? h("span", { class: "note" }, t("moves.dropped", { target: room.settings.target })) : null,
  );
}

function endsLine(room) {
  const { ends, total } = room.deal?.layout ?? { ends: [], total: 0 };
  if (!ends.length) return h("p", { class: "ends", key: "ends" });
  const list = ends.map(({ end, value }) => `${END_LETTERS[end]} ${value}`).join(" · ");
  return h("p", { class: "ends", key: "ends" }, t(counts(room) ? "ends.total" : "ends", { ends: list, total }));
}

function statusTone({ room, choice, offers, refusal }) {
  if (refusal) return "warn";
  if (choice.state === PREVIEW) return chosenOffer(choice, offers)?.play?.accepted === false ? "warn" : "ready";
  return room.phase === "playing" && offers.mine ? "mine" : "";
}

function statusText(scene) {
  const { room, choice, refusal } = scene;
  if (refusal) return refusal;
  if (room.phase === "deal_over") return dealOverText(room);
  if (room.phase === "match_over") return sentence(eventOf(room.deal, "match_ended"), room, room);
  const say = scene.offers.mine ? STATUS[choice.state] : null;
  return say ? say(scene) : waitText(room, choice);
}

function dealOverText(room) {
  const own = ownSeat(room);
  const waits = own !== null && room.seats[own].ready;
  return t(waits ? "status.waiting_others" : "status.deal_over", { number: room.deal.number });
}

const STATUS = {
  [TURN]: ({ room, offers }) =>
    offers.draw ? t("status.must_draw", { count: room.deal.stock }) : t("status.your_turn"),
  [TILE]: ({ choice }) => t("status.choose_end", { tile: choice.tile }),
  [PREVIEW]: ({ room, choice, offers }) =>
    previewSentence(room, chosenOffer(choice, offers), room.scores[room.seats[ownSeat(room)].side]),
  [DRAW]: ({ room }) => t("status.draw", { count: room.deal.stock }),
  [KNOCK]: () => t("status.knock"),
  [SENDING]: () => t("status.sending"),
};

function waitText(room, choice) {
  if (!room.turn) return t("status.waiting");
  const name = plainName(room.seats[room.turn.seat]);
  if (choice.tile)
    return t(choice.end ? "status.prepared_at" : "status.prepared", {
      tile: choice.tile,
      end: END_LETTERS[choice.end] ?? "",
      name,
    });
  return t(ownSeat(room) === null ? "status.watching" : "status.others_turn", { name });
}
