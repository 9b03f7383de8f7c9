/** The person's own tiles and the buttons below. */

import { pipsOf } from "./geometry.js";
import { h, plainKey, render, takeNoSlip } from "./keyed.js";
import { icon, tilePicture, unbroken } from "./pictures.js";
import { eventOf, hasFreeSeat, obstacleTo, ownHand, ownSeat } from "./state.js";
import { handLabel, spokenTile, t } from "./texts.js";
import { chosenOffer, DRAW, endsFor, KNOCK, PREVIEW, SENDING } from "./turn.js";

const ROW = 8; // tiles in a row, unless that takes too many rows
const MOST_ROWS = 3;
const MOUSE_THRESHOLD = 4;
const TOUCH_THRESHOLD = 8;
const LIFT = 28; // how far a dragged tile rides above a finger
const SNAP = 64; // how near an end draws it on
const FLIGHT_HOME = 160; // milliseconds

/** The hand, with a place for each tile that the deal has brought so far, so that nothing shifts when one is played. */
export function hand(scene, act) {
  const { room, choice } = scene;
  const tiles = ownHand(room);
  if (ownSeat(room) === null) return null;
  const most = Math.max(tiles.length, dealtTiles(room), 1);
  const rows = Math.min(Math.ceil(most / ROW), MOST_ROWS);
  return h(
    "section",
    {
      class: "hand",
      key: "hand",
      id: "hand",
      "data-testid": "hand",
      "aria-label": handLabel(room),
      style: { "--rows": String(rows), "--in-row": String(Math.ceil(most / rows)) },
    },
    h(
      "div",
      { class: "hand-tiles", role: "group", onkeydown: (event) => handKey(event, choice, act) },
      tiles.map((tile, number) => handTile(scene, act, tile, isTabStop(choice, tiles, number))),
    ),
  );
}

/** How many tiles the hand began with. */
function dealtTiles(room) {
  return eventOf(room.deal, "deal_started")?.tiles[ownSeat(room)] ?? 0;
}

function isTabStop(choice, tiles, number) {
  return tiles.includes(choice.tile) ? tiles[number] === choice.tile : number === 0;
}

function handTile({ choice, offers, motion }, act, tile, tabStop) {
  const selected = choice.tile === tile;
  const fits = endsFor(offers, tile).length > 0;
  const dim = offers.mine && !fits;
  const name = t(selected ? "tile.selected" : fits ? "tile.playable" : "tile.fits_nowhere", { tile: spokenTile(tile) });
  const looks = [selected && "selected", selected && choice.end && "placed", dim && "dim"].filter(Boolean).join(" ");
  return h(
    "button",
    {
      key: tile,
      type: "button",
      class: `hand-tile ${looks}`,
      "data-testid": `hand-tile-${tile}`,
      "data-tile": tile,
      "aria-pressed": String(selected),
      "aria-disabled": String(dim),
      "aria-label": name,
      tabindex: tabStop ? 0 : -1,
      onclick: (event) => event.currentTarget.dataset.dragged || act.choose({ type: "tile", tile }),
      onpointerdown: (event) => startDrag(event, tile, act, motion),
    },
    tilePicture(pipsOf(tile)),
  );
}

/**
 * The keys of the hand, each {keys, name}: `to` gives the number of the tile that gets the focus from number `at`,
 * `press` does something else; what has neither a button does by itself.
 */
export const HAND_KEYS = [
  {
    keys: ["ArrowLeft", "ArrowRight"],
    name: "beside",
    to: (at, key, count) => (at + (key === "ArrowLeft" ? -1 : 1) + count) % count,
  },
  { keys: ["Home", "End"], name: "outermost", to: (_, key, count) => (key === "Home" ? 0 : count - 1) },
  { keys: [..."123456789"], name: "nth", to: (_, key) => Number(key) - 1 },
  { keys: [" ", "Enter"], name: "choose" },
  { keys: ["ArrowDown"], name: "positions", press: (act) => act.focusPositions() },
];

function handKey(event, choice, act) {
  const key = plainKey(event);
  if (key === "Enter" && isReady(choice, document.activeElement.dataset.tile)) {
    if (!event.repeat) act.choose({ type: "preview" });
    event.preventDefault();
    return;
  }
  const { to, press } = HAND_KEYS.find(({ keys }) => keys.includes(key)) ?? {};
  if (!to && !press) return;
  const tiles = [...event.currentTarget.querySelectorAll(".hand-tile")];
  if (to) tiles[to(tiles.indexOf(document.activeElement), key, tiles.length)]?.focus();
  else press(act);
  event.preventDefault();
}

/** Whether Enter on `tile` confirms what is chosen. */
function isReady({ state, tile: chosen }, tile) {
  return state === DRAW || (state === PREVIEW && chosen === tile);
}

/** The buttons below the hand; each keeps its place whatever it says. */
export function actions(scene, act) {
  const { room } = scene;
  return h(
    "div",
    { class: "actions", key: "actions", role: "group", "aria-label": t("actions") },
    room.phase === "playing" ? turnButtons(scene, act) : restButtons(room, act),
    ownSeat(room) === null ? watcherButtons(scene, act) : commands(scene, act),
  );
}

function turnButtons({ room, choice, offers, online }, act) {
  const own = ownSeat(room);
  if (own === null) return [];
  if (room.seats[own].state === "bot_in") return primary("seat-back", t("seat.back"), online, () => act.sit());
  if (choice.state === KNOCK) return primary("knock", t("knock"), online, () => act.choose({ type: "confirm" }));
  const ready = [PREVIEW, DRAW].includes(choice.state) && online;
  const label =
    choice.state === DRAW
      ? t("draw.one")
      : chosenOffer(choice, offers)
        ? t("play.tile", { tile: choice.tile })
        : t("play");
  return [
    primary("play", label, ready, () => act.choose({ type: "confirm" })),
    h(
      "button",
      {
        key: "cancel",
        type: "button",
        class: "cancel",
        "data-testid": "cancel",
        disabled: !(choice.tile || choice.state === DRAW) || choice.state === SENDING,
        onclick: () => act.choose({ type: "cancel" }),
      },
      icon("close"),
      h("span", {}, t("cancel")),
    ),
  ];
}

function primary(name, label, enabled, press, attach) {
  return h(
    "button",
    { key: name, type: "button", class: "primary", "data-testid": name, disabled: !enabled, onclick: press, attach },
    unbroken(label),
  );
}

/** Between deals: ready for what comes, and the result again. */
function restButtons(room, act) {
  const own = ownSeat(room);
  const over = room.phase === "match_over";
  return [
    own !== null && primary("next", t(over ? "again" : "next.short"), !room.seats[own].ready, act.ready, takeNoSlip),
    h("button", { key: "result", type: "button", onclick: () => act.open(over ? "match" : "result") }, t("result")),
  ];
}

function watcherButtons({ room, name }, act) {
  const isComing = room.seats.some(({ coming }) => coming === name);
  return [
    (isComing || hasFreeSeat(room)) && primary("sit", t(isComing ? "sit.next" : "sit"), !isComing, () => act.sit()),
    h("button", { key: "leave", type: "button", onclick: act.leave }, t("leave.short")),
  ];
}

/** What can be asked of the table, each a message of that name but `react` and `more`, which open a sheet. */
const COMMANDS = ["hint", "undo", "redo", "restart", "new_game", "react"];
const ON_NARROW_SCREENS = ["hint", "undo", "more"];
const AFTER_A_MATCH = ["react"];

function commands(scene, act) {
  const names = scene.narrow ? ON_NARROW_SCREENS : COMMANDS;
  const shown = scene.room.phase === "match_over" ? AFTER_A_MATCH : names;
  return h(
    "div",
    { class: "commands", key: "commands" },
    shown.map((name) => command(name, scene, act)),
  );
}

/** The commands that a narrow screen has in a sheet. */
export function moreCommands(scene, act) {
  return COMMANDS.filter((name) => !ON_NARROW_SCREENS.includes(name)).map((name) => command(name, scene, act, true));
}

/** A command that is not possible now stays where it is, and says why when it is pressed, or below its name. */
function command(name, scene, act, isExplained = false) {
  const obstacle = obstacleTo(name, scene);
  const what = t(obstacle ?? `command.${name}.text`);
  return h(
    "button",
    {
      key: name,
      type: "button",
      class: "command",
      "data-testid": name.replace("_", "-"),
      "aria-disabled": obstacle ? "true" : null,
      "aria-description": isExplained ? null : what,
      title: isExplained ? null : what,
      onclick: () => act.command(name),
    },
    icon(name),
    h("span", {}, t(`command.${name}`), isExplained && h("small", {}, what)),
  );
}

/**
 * Follows a press on a hand tile. Once it has moved far enough the tile rides along and snaps to a lit end that is
 * near; letting go there previews it, anything else brings it home. A press that stays is left to the click.
 */
function startDrag(down, tile, act, motion) {
  const button = down.currentTarget;
  delete button.dataset.dragged;
  if (down.button || !down.isPrimary || !act.mayDrag()) return;
  const isMouse = down.pointerType === "mouse";
  const ride = new Ride(button, tile, act, motion);
  const listening = new AbortController();
  const listen = (name, handler) => window.addEventListener(name, handler, { signal: listening.signal });
  const own = (handler) => (event) => event.pointerId === down.pointerId && handler(event);

  const move = ({ clientX, clientY, buttons }) => {
    const [x, y] = [clientX - down.clientX, clientY - down.clientY];
    if (!buttons)
      release(false); // let go where nobody could hear it
    else if (ride.hasBegun || Math.hypot(x, y) >= (isMouse ? MOUSE_THRESHOLD : TOUCH_THRESHOLD))
      ride.to(x, y - (isMouse ? 0 : LIFT));
  };
  const release = (mayDrop) => {
    listening.abort();
    ride.end(mayDrop);
    setTimeout(() => delete button.dataset.dragged); // the click of this press comes first
  };
  listen("pointermove", own(move));
  listen(
    "pointerup",
    own(() => release(true)),
  );
  listen(
    "pointercancel",
    own(() => release(false)),
  );
  listen("keydown", ({ key }) => key === "Escape" && ride.end(false));
  listen("pointerdown", ({ pointerId }) => pointerId !== down.pointerId && ride.end(false));
}

/** A hand tile that is dragged: a picture of it that follows the pointer, drawn once a frame. */
class Ride {
  #picture = null;
  #home = null;
  #offset = null;
  #near = null;
  #frame = null;
  #isOver = false;

  constructor(button, tile, act, motion) {
    Object.assign(this, { button, tile, act, motion });
  }

  get hasBegun() {
    return this.#picture !== null;
  }

  /** The pointer is `x`, `y` pixels from where the tile was grasped. */
  to(x, y) {
    if (this.#isOver) return;
    if (!this.hasBegun) this.#begin();
    this.#offset = { x, y };
    this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  /** The ride is over: the tile is laid at the end that it has snapped to if it `mayDrop`, else it flies home. */
  end(mayDrop) {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.hasBegun) return;
    cancelAnimationFrame(this.#frame);
    if (mayDrop) this.#draw();
    const end = mayDrop ? this.#near : null;
    delete this.button.dataset.away;
    this.act.hover(null);
    this.act.drop(end);
    this.#vanish(end !== null);
  }

  #begin() {
    this.#home = this.button.getBoundingClientRect();
    const { left, top, width, height } = this.#home;
    const style = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
    const holder = document.createElement("div");
    render(holder, [h("div", { class: "hand-tile rider", style }, tilePicture(pipsOf(this.tile)))]);
    this.#picture = document.body.appendChild(holder.firstChild);
    this.button.dataset.dragged = "true";
    this.button.dataset.away = "true";
    this.act.lift(this.tile);
  }

  #draw() {
    this.#frame = null;
    if (!this.button.isConnected) {
      this.end(false); // the tile has gone from the hand meanwhile
      return;
    }
    const { left, top, width, height } = this.#home;
    const middle = { x: left + width / 2, y: top + height / 2 };
    const place = nearestPlace({ x: middle.x + this.#offset.x, y: middle.y + this.#offset.y });
    if ((place?.end ?? null) !== this.#near) {
      this.#near = place?.end ?? null;
      this.act.hover(this.#near);
    }
    const { x, y } = place ? { x: place.x - middle.x, y: place.y - middle.y } : this.#offset;
    this.#picture.style.transform = `translate(${x}px, ${y}px)`;
  }

  #vanish(isLaid) {
    const picture = this.#picture;
    if (isLaid || !this.motion || !this.button.isConnected) picture.remove();
    else
      picture
        .animate([{}, { transform: "none" }], { duration: FLIGHT_HOME, easing: "ease-out" })
        .finished.finally(() => picture.remove());
  }
}

/** The lit end whose place is near `point` on the screen, with the middle of that place: {end, x, y}; or null. */
function nearestPlace(point) {
  const places = [...document.querySelectorAll(".place[data-end]")].map((node) => {
    const { left, top, width, height } = node.querySelector(".place-line").getBoundingClientRect();
    return { end: node.dataset.end, x: left + width / 2, y: top + height / 2 };
  });
  const distance = ({ x, y }) => Math.hypot(point.x - x, point.y - y);
  const [nearest] = places.sort((a, b) => distance(a) - distance(b));
  return nearest && distance(nearest) <= SNAP ? nearest : null;
}
