/** The table while a match is on: who sits there, the score, the felt, the moves, the hand. */

import { board } from "./board.js";
import { actions, hand } from "./hand.js";
import { h, lasting } from "./keyed.js";
import { statusText, statusTone } from "./notices.js";
import { backPicture, icon, scoreTrack, sideMark, unbroken } from "./pictures.js";
import { counts, dealName, drawnBy, isCovered, isPartner, lastActOf, otherSeats, ownSeat } from "./state.js";
import { formatNumber, handLabel, nameOf, plainName, playSum, sideLabel, t, words, writtenEnds } from "./texts.js";

const TWO_LINES = { alone: 70, beside: 56 }; // signs of the status on a phone, alone or beside the button of a hint

/**
 * The whole screen. `scene` is that of `board`, with `link` (the state of the line), `online`, `reactions` by seat, and
 * the nodes `clock`, of a timer, `opener`, of the sheet of a hint, `curtain`, where a shared device is handed on, and
 * `notices`, on the felt above the status.
 */
export function table(scene, act) {
  const { room, link, reactions, narrow, lines, seenLines, said } = scene;
  const looks = [
    ownSeat(room) === null && "watching",
    isCovered(room) && "covered",
    room.scores.length > 2 && "three-sides",
  ].filter(Boolean);
  return h(
    "main",
    { class: ["table-page", ...looks].join(" "), key: "table" },
    h("a", { class: "skip", href: "#hand", onclick: (event) => (event.preventDefault(), act.focusHand()) }, t("skip")),
    head(room, link, reactions, narrow, words(), act),
    board(scene, act),
    scene.notices,
    statusLine(scene),
    ownPanel(scene),
    hand(scene, act),
    actions(scene, act),
    scene.curtain,
    endsLine(room),
    lastingMoves(room, lines, seenLines, said, words(), act),
  );
}

/** What a person does with a tile changes nothing above the board, nor in the moves, and is seen the sooner. */
const head = lasting((room, link, reactions, narrow, _words, act) => [
  header({ room, link }, act),
  h(
    "section",
    { class: "seats", key: "seats", "aria-label": t("seats") },
    otherSeats(room).map((seat) => seatPanel({ room, reactions, narrow }, seat, act)),
  ),
  scoreNumbers(room),
  h("div", { class: "track-place", key: "track" }, scoreTrack(room)),
]);
const lastingMoves = lasting((room, lines, seenLines, said, _words, act) =>
  moves({ room, lines, seenLines, said }, act),
);

function header({ room, link }, act) {
  const { game, target } = room.settings;
  const open = (name) =>
    h(
      "button",
      { key: name, type: "button", class: "quiet", "data-sheet": name, onclick: () => act.open(name) },
      t(`sheet.${name}`),
    );
  return h(
    "header",
    { class: "table-head", key: "head" },
    h(
      "button",
      { type: "button", class: "quiet menu", "aria-label": t("menu"), onclick: () => act.open("menu") },
      icon("menu"),
    ),
    h(
      "h1",
      { tabindex: -1 },
      h("span", { class: "brand" }, t("brand")),
      h("span", { class: "code" }, room.room),
      practiceTag(room),
    ),
    h("p", { class: "game" }, t("game.to", { game: t(`game.${game}`), target })),
    h("nav", { "aria-label": t("sheets") }, ["invite", "rules", "scores", "settings"].map(open)),
    watchersButton(room, act),
    linkDot(link),
  );
}

/** Says of a match that was begun again that its deals are known. */
function practiceTag({ practice }) {
  return practice
    ? h("span", { key: "practice", class: "tag practice", title: t("practice.text") }, t("practice"))
    : null;
}

function linkDot(link) {
  return h(
    "p",
    { class: `link ${link}`, key: "link" },
    h("span", { class: "dot", "aria-hidden": "true" }),
    h("span", { class: "link-text" }, t(`link.${link}`)),
  );
}

/**
 * Who sits there, what is left in hand, what was done last, and whether it is their turn. With `act` it is a way to the
 * list of the people at the table.
 */
export function seatPanel(scene, seat, act) {
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
      h("span", { class: "last-act" }, inTurn ? t("to_play") : lastAct(scene, seat.seat)),
    ),
    act ? peopleButton(t("people.about", { name: plainName(seat) }), act) : null,
    bubble(reactions, seat.seat),
  );
}

/** Covers what it stands in. */
function peopleButton(label, act) {
  return h("button", {
    key: "people",
    type: "button",
    class: "cover",
    "aria-label": label,
    onclick: () => act.open("people"),
  });
}

function tags(room, seat) {
  const words = [
    isPartner(room, seat.seat) && "partner",
    seat.bot && "cpu",
    seat.state === "away" && "away",
    seat.state === "bot_in" && "bot_in",
    room.phase !== "playing" && room.phase !== "lobby" && seat.ready && "ready",
  ].filter(Boolean);
  const short = { partner: t("tag.partner.short"), bot_in: t("tag.cpu") };
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

function lastAct({ room, narrow }, number) {
  const seat = room.seats[number];
  if (seat.coming) return t("coming", { name: seat.coming });
  if (isOut(room, number)) return t(narrow ? "result.out" : "out_partner_plays");
  const act = lastActOf(room.deal, number);
  if (act?.type === "drew") return t("act.drew_count", { count: drawnBy(room.deal, number) });
  if (!act) return "";
  return act.type === "played" ? act.tile : t(`act.${act.type}`);
}

/** Whether that seat has no tiles left in a deal that goes on until its partner has none either (F5). */
function isOut(room, number) {
  return room.phase === "playing" && room.deal !== null && room.seats[number].tiles === 0;
}

function ownPanel(scene) {
  const { room, reactions } = scene;
  const own = ownSeat(room);
  if (own === null) return null; // the status line says that one watches
  const inTurn = room.turn?.seat === own && room.phase === "playing";
  const out = isOut(room, own);
  const looks = `own-panel${inTurn ? " in-turn" : ""}${out ? " out" : ""}`;
  return h(
    "div",
    { class: looks, key: "own", "data-testid": `seat-${own}`, "data-seat": own },
    sideMark(room.seats[own].side),
    h("span", {}, out ? t("own.out") : handLabel(room)),
    bubble(reactions, own),
  );
}

/** How many watch; who they are is a press away. */
function watchersButton({ watchers }, act) {
  if (!watchers.length) return null;
  const label = t("watchers", { count: watchers.length });
  return h(
    "button",
    {
      key: "watchers",
      type: "button",
      class: "quiet watchers",
      "aria-label": label,
      title: label,
      "data-testid": "watchers",
      onclick: () => act.open("people"),
    },
    icon("eye"),
    h("b", {}, formatNumber(watchers.length)),
  );
}

function bubble(reactions, seat) {
  const said = reactions[seat];
  return said ? h("p", { class: "bubble", key: said.id }, icon(said.key), t(`reaction.${said.key}`)) : null;
}

/** What each side has, and how far it is from the target. */
export function scoreNumbers(room) {
  const { target } = room.settings;
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
        h("span", { class: "to-go" }, t("to_go", { count: Math.max(0, target - score) })),
      ),
    ),
    h("li", { key: "target", class: "target", "aria-hidden": "true" }, t("score.target", { target })),
  );
}

/**
 * Each act of the deal in a line with its sum, newest last; what was taken back stays, struck out.
 *
 * Stays at its end unless it was scrolled back; a button then says how many lines are new.
 */
export function moves(scene, act) {
  const { room, lines, seenLines } = scene;
  const unseen = seenLines === null ? 0 : lines.length - seenLines;
  return h(
    "aside",
    { class: "moves", key: "moves", "aria-label": t("moves") },
    h(
      "h2",
      {},
      t("moves"),
      room.deal ? h("span", { class: "deal-number" }, t("deal", { number: room.deal.number })) : null,
    ),
    h(
      "ol",
      { "data-testid": "moves", tabindex: 0, attach: (list) => keepAtEnd(list, act) },
      lines.length ? null : h("li", { class: "empty" }, t("moves.none")),
      saidAfter(scene, 0),
      lines.map((line, number) => [moveLine(room, line, number), saidAfter(scene, number + 1)]),
    ),
    unseen > 0
      ? h(
          "button",
          { key: "newer", type: "button", class: "small newer", onclick: toEnd },
          t("moves.new", { count: unseen }),
        )
      : null,
  );
}

/** Follows the end of the list; when it is scrolled back, tells how many lines had been seen by then. */
function keepAtEnd(list, act) {
  let atEnd = true;
  list.addEventListener("scroll", () => {
    const isThere = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
    if (isThere !== atEnd) act.scrollMoves(isThere ? null : list.querySelectorAll("li:not(.said)").length);
    atEnd = isThere;
  });
  const stay = () => {
    if (atEnd) list.scrollTop = list.scrollHeight;
  };
  new MutationObserver(stay).observe(list, { childList: true });
  new ResizeObserver(stay).observe(list);
}

function toEnd({ currentTarget }) {
  const list = currentTarget.parentNode.querySelector("ol");
  list.scrollTop = list.scrollHeight;
  list.focus();
}

/** What was said in this deal after so many of its acts. */
function saidAfter({ room, said }, acts) {
  return said
    .filter(({ deal, after }) => deal === dealName(room) && after === acts)
    .map(({ id, seat, key }) =>
      h(
        "li",
        { key: `said-${id}`, class: "said" },
        h("span", { class: "count" }, icon(key)),
        sideMark(room.seats[seat].side),
        h("bdi", { class: "name" }, nameOf(room, seat)),
        h("span", {}, t(`reaction.${key}`)),
      ),
    );
}

/** An act of the deal as a line of a list, at `place`: one of `linesAfter`, in a replay with its own `number`. */
export function moveLine(room, { event, struck, number }, place) {
  const looks = [event.dropped && "dropped", event.points && "scored", struck !== null && "struck"]
    .filter(Boolean)
    .join(" ");
  return h(
    "li",
    { key: place, class: looks },
    h("span", { class: "count" }, formatNumber(number ?? place + 1)),
    sideMark(room.seats[event.seat].side),
    h("bdi", { class: "name" }, nameOf(room, event.seat)),
    h(struck !== null ? "s" : "b", { key: "what" }, event.type === "played" ? event.tile : t(`act.${event.type}`)),
    event.type === "played" ? h("span", { class: "sum" }, playSum(room, event)) : null,
    event.dropped ? h("span", { class: "note" }, t("moves.dropped", { target: room.settings.target })) : null,
    struck !== null ? h("span", { class: "tag" }, t("moves.struck")) : null,
  );
}

function endsLine(room) {
  const { ends, total } = room.deal?.layout ?? { ends: [], total: 0 };
  if (!ends.length) return h("p", { class: "ends", key: "ends" });
  const slots = { ends: writtenEnds(room), total };
  return h("p", { class: "ends", key: "ends" }, t(counts(room) ? "ends.total" : "ends", slots));
}

/** What is to be done, or is about to be done. It keeps its height: a long text is written smaller. */
function statusLine(scene) {
  const text = statusText(scene);
  const length = text.length > (scene.opener ? TWO_LINES.beside : TWO_LINES.alone) ? "long" : "";
  return h(
    "div",
    { class: `status ${statusTone(scene)} ${length}`, key: "status", "data-testid": "status" },
    h("span", {}, unbroken(text)),
    scene.clock || null,
    scene.opener || null,
  );
}
