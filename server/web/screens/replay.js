/** A finished match, looked at again: any move of it, from any seat, and the proof that it was dealt fairly. */

import { board } from "../board.js";
import { h } from "../keyed.js";
import { backPicture, icon, lineIcon, scoreTrack, tileImage } from "../pictures.js";
import { linesAt } from "../replay/course.js";
import { load, playerOf, SPEEDS, statusOf } from "../replay/player.js";
import { proofSection } from "../replay/proof.js";
import { dealTable } from "../sheets/match.js";
import { endingList } from "../sheets/result.js";
import { eventOf } from "../state.js";
import { moves, scoreNumbers, seatPanel } from "../table.js";
import { dealEndSentence, formatDate, plainName, t } from "../texts.js";
import { NOTHING } from "../turn.js";

const CHAIN = "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1";
const NO_OFFERS = { mine: false, acts: "", plays: [], draw: null, knock: null };

/**
 * The screen of the record `page.id`. `page`: {id, table (the code of the one that waits behind this page, or null),
 * store, kept, announcer, act, camera, motion}. What is looked at is in the state under `replay`.
 */
export function replay(state, page) {
  const show = state.replay?.id === page.id ? state.replay : null;
  if (show?.stops) return player(state, show, page);
  return waiting(show, page);
}

/** Until the record has come, or where there is none. */
function waiting(show, page) {
  const { id, act } = page;
  const status = show?.status ?? "loading";
  const again = () => load(page);
  return h(
    "main",
    {
      class: "page replay-wait",
      key: `wait-${id}`,
      "data-testid": "replay",
      "data-state": status,
      attach: again,
    },
    h("header", { class: "page-head" }, h("h1", { tabindex: -1 }, t("replay"))),
    h("p", { class: "lead", role: "status" }, t(`replay.${status}`)),
    h(
      "div",
      { class: "row" },
      status === "failed" ? h("button", { type: "button", class: "primary", onclick: again }, t("replay.again")) : null,
      h("button", { type: "button", onclick: () => act.go("/") }, t("home")),
    ),
  );
}

function player(state, show, page) {
  const { id, camera, motion, act } = page;
  const { stops, at, fresh } = show;
  const stop = stops[at];
  const { room } = stop;
  const steer = playerOf(page);
  const scene = {
    ...state,
    room,
    fresh,
    camera,
    motion,
    choice: NOTHING,
    offers: NO_OFFERS,
    lines: linesAt(stops, at),
    seenLines: null,
    said: [],
    reactions: {},
  };
  return h(
    "main",
    {
      class: `replay-page of-${room.seats.length}`,
      key: `replay-${id}`,
      "data-testid": "replay",
      "data-state": at === stops.length - 1 ? "end" : "ready",
      "data-move": stop.number,
      attach: steer.listen,
      detach: steer.leave,
    },
    header(show, page),
    h(
      "section",
      { class: "seats", key: "seats", "aria-label": t("seats") },
      room.seats.map((seat) => seatWithHand(scene, seat, show.eye)),
    ),
    scoreNumbers(room),
    h("div", { class: "track-place", key: "track" }, scoreTrack(room)),
    board(scene, { ...act, choose: () => {} }),
    h("p", { class: "status", key: "status", "data-testid": "status" }, statusOf(stop)),
    controls(show, steer),
    moves(scene, { scrollMoves: () => {} }),
    ending(room),
    proofSection({ record: show.record, proof: show.proof, save: steer.save }),
    dealsSection(stops.at(-1).room),
  );
}

function header({ record }, { act, table }) {
  const { game, settings, ended } = record;
  const leave = () => act.go(table ? `/t/${table}` : "/");
  const where = t(table ? "replay.to_table" : "home");
  return h(
    "header",
    { class: "table-head", key: "head" },
    h("button", { type: "button", class: "quiet", "aria-label": where, title: where, onclick: leave }, icon("back")),
    h("h1", { tabindex: -1 }, t("replay")),
    h("p", { class: "game" }, t("game.to", { game: t(`game.${game}`), target: settings.target })),
    h("p", { class: "muted date" }, formatDate(ended * 1000)),
  );
}

/** A seat with its tiles, face up where the eye of the replay may see them. */
function seatWithHand(scene, seat, eye) {
  const tiles = scene.room.deal.hands[seat.seat] ?? [];
  const isOpen = eye === null || eye === seat.seat;
  return h(
    "div",
    { key: seat.seat, class: "replay-seat" },
    seatPanel(scene, seat),
    h(
      "ul",
      {
        class: `replay-hand${tiles.length > 9 ? " long" : ""}`,
        "data-testid": `replay-hand-${seat.seat}`,
        "aria-label": t("replay.hand", { name: plainName(seat) }),
      },
      tiles.map((tile, place) =>
        isOpen ? h("li", { key: tile }, tileImage(tile)) : h("li", { key: place }, backPicture()),
      ),
    ),
  );
}

function controls(show, steer) {
  return h(
    "section",
    { class: "player", key: "player", "aria-label": t("replay.controls") },
    slider(show, steer),
    h(
      "div",
      { class: "player-buttons", role: "group" },
      glyph("deal_back", "ArrowUp", "M6 5v14M18 5l-9 7 9 7Z", steer.dealBack),
      glyph("step_back", "ArrowLeft", "M16 5l-9 7 9 7Z", steer.back),
      show.playing
        ? glyph("pause", "Space", "M8 5v14M16 5v14", steer.pause, "primary")
        : glyph("play", "Space", "M7 5l11 7-11 7Z", steer.play, "primary"),
      glyph("step_on", "ArrowRight", "M8 5l9 7-9 7Z", steer.on),
      glyph("deal_on", "ArrowDown", "M18 5v14M6 5l9 7-9 7Z", steer.dealOn),
    ),
    h("div", { class: "player-choices" }, eyeChoice(show, steer), speedChoice(show, steer), link(show, steer)),
  );
}

function slider({ stops, at }, steer) {
  const { number, room } = stops[at];
  const where = t("replay.position", { deal: room.deal.number, number, count: stops.at(-1).number });
  return h(
    "label",
    { class: "slider" },
    h("span", {}, where),
    h("input", {
      type: "range",
      "data-testid": "replay-slider",
      min: 0,
      max: stops.length - 1,
      value: at,
      "aria-label": t("replay.slider"),
      "aria-valuetext": where,
      oninput: ({ currentTarget }) => steer.goTo(Number(currentTarget.value)),
    }),
  );
}

/** A button with a picture; `key`: what does the same on the keyboard. */
function glyph(name, key, d, press, look = "") {
  return h(
    "button",
    {
      key: name,
      type: "button",
      class: `glyph ${look}`,
      "data-testid": `replay-${name.replace("_", "-")}`,
      "aria-label": t(`replay.${name}`),
      "aria-keyshortcuts": key,
      title: t(`replay.${name}`),
      onclick: press,
    },
    h("svg", { viewBox: "0 0 24 24", class: "icon filled", "aria-hidden": "true" }, h("path", { d })),
  );
}

function eyeChoice({ eye, stops, at }, steer) {
  const { seats } = stops[at].room;
  const choices = [[null, t("replay.all_hands")], ...seats.map((seat) => [seat.seat, plainName(seat)])];
  return choice("replay-view", t("replay.view"), choices, eye, steer.look);
}

function speedChoice({ speed }, steer) {
  const choices = SPEEDS.map((value) => [value, t("replay.times", { count: value })]);
  return choice("replay-speed", t("replay.speed"), choices, speed, steer.setSpeed);
}

/** One of `choices`, each a value and its name. */
function choice(testid, label, choices, chosen, choose) {
  return h(
    "label",
    { key: testid, class: "choice" },
    h("span", {}, label),
    h(
      "select",
      {
        "data-testid": testid,
        onchange: ({ currentTarget }) => choose(choices[currentTarget.selectedIndex][0]),
      },
      choices.map(([value, name], place) => h("option", { key: place, selected: value === chosen }, name)),
    ),
  );
}

function link({ stops, at }, steer) {
  const title = t("replay.link", { number: stops[at].number });
  return h(
    "button",
    { key: "link", type: "button", "data-testid": "replay-link", title, onclick: steer.copyLink },
    lineIcon(CHAIN),
    h("span", {}, t("copy")),
  );
}

/** Where a deal is over, what it came to. */
function ending(room) {
  const ended = eventOf(room.deal, "deal_ended");
  if (!ended) return null;
  const title = t("result.title", { number: room.deal.number, how: dealEndSentence(ended, room) });
  return h("section", { class: "replay-ending", key: "ending" }, h("h2", {}, title), endingList(room, ended));
}

function dealsSection(room) {
  if (!eventOf(room.deal, "deal_ended")) return null;
  return h("section", { class: "replay-deals", key: "deals" }, h("h2", {}, t("replay.deals")), dealTable(room));
}
