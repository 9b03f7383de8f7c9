/** The person's own tiles, and the list of positions for the keyboard. */

import { END_LETTERS, pipsOf } from "./geometry.js";
import { h } from "./keyed.js";
import { tilePicture } from "./pictures.js";
import { counts, eventOf, ownHand, ownSeat } from "./state.js";
import { handLabel, spokenTile, t } from "./texts.js";
import { endsFor, SENDING } from "./turn.js";

const ROW = 8; // tiles in a row
const MOUSE_THRESHOLD = 4;
const TOUCH_THRESHOLD = 8;
const LIFT = 28; // how far a dragged tile rides above a finger
const SNAP = 64;

/** The hand, with a place for each tile that the deal has brought so far, so that nothing shifts when one is played. */
export function hand(scene, act) {
  const { room, choice } = scene;
  const tiles = ownHand(room);
  if (ownSeat(room) === null) return null;
  const most = Math.max(tiles.length, dealtTiles(room), 1);
  return h(
    "section",
    {
      class: `hand rows-${Math.min(Math.ceil(most / ROW), 3)}`,
      key: "hand",
      id: "hand",
      "data-testid": "hand",
      "aria-label": handLabel(room),
      style: { "--in-row": String(Math.min(most, ROW)) },
    },
    positions(scene, act),
    h(
      "div",
      { class: "hand-tiles", role: "group", onkeydown: (event) => moveFocus(event, act) },
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

function moveFocus(event, act) {
  const tiles = [...event.currentTarget.querySelectorAll(".hand-tile")];
  const at = tiles.indexOf(document.activeElement);
  const target =
    { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tiles.length - 1 }[event.key] ?? nthTile(event.key);
  if (event.key === "ArrowDown") act.focusPositions();
  else if (target === null) return;
  else tiles[(target + tiles.length) % tiles.length]?.focus();
  event.preventDefault();
}

function nthTile(key) {
  return /^[1-9]$/.test(key) ? Number(key) - 1 : null;
}

/** The places of the chosen tile as radio buttons; seen when the keyboard is on them. */
function positions({ room, choice, offers }, act) {
  const offered = offers.plays.filter(({ tile }) => tile === choice.tile);
  if (!choice.tile || choice.state === SENDING || !offered.length) return null;
  return h(
    "fieldset",
    {
      class: "positions",
      "data-testid": "positions",
      key: "positions",
      onkeydown: (event) => positionKey(event, offered, act),
    },
    h("legend", {}, t("positions", { tile: choice.tile })),
    offered.map(({ end, play }) =>
      h(
        "label",
        { key: end },
        h("input", {
          type: "radio",
          name: "position",
          value: end,
          checked: choice.end === end,
          onchange: () => act.choose({ type: "end", end }),
        }),
        positionText(room, end, play),
      ),
    ),
  );
}

function positionText(room, end, play) {
  const open = room.deal.layout.ends.find((other) => other.end === end);
  const where = open ? t("position.end", { end: END_LETTERS[end], value: open.value }) : t("position.opening");
  if (!play || !counts(room)) return where;
  return `${where} ${t("position.worth", { total: play.total, count: play.points + play.out_bonus })}`;
}

function positionKey(event, offered, act) {
  if (event.key === "Enter") act.choose({ type: "confirm" });
  else if (event.key === "Escape") act.focusHand();
  else if (/^[1-4]$/.test(event.key)) {
    const letter = "ABCD"[Number(event.key) - 1];
    const offer = offered.find(({ end }) => END_LETTERS[end] === letter);
    if (offer) act.choose({ type: "end", end: offer.end });
  } else return;
  event.stopPropagation();
  event.preventDefault();
}

/**
 * Follows a press on a hand tile. Once it has moved far enough the tile rides along, and letting go near an open end
 * previews it there; anything else brings it home. A press that stays is left to the click.
 */
function startDrag(down, tile, act, motion) {
  const button = down.currentTarget;
  if (down.button || !act.mayDrag(tile)) return;
  delete button.dataset.dragged;
  const threshold = down.pointerType === "mouse" ? MOUSE_THRESHOLD : TOUCH_THRESHOLD;
  const lift = down.pointerType === "mouse" ? 0 : LIFT;
  const listening = new AbortController();
  const listen = (name, handler) => window.addEventListener(name, handler, { signal: listening.signal });
  let rider = null;

  listen("pointermove", (move) => {
    if (move.pointerId !== down.pointerId) return;
    const [x, y] = [move.clientX - down.clientX, move.clientY - down.clientY];
    if (!rider && Math.hypot(x, y) < threshold) return;
    rider ??= pickUp(button, act, tile);
    rider.style.transform = `translate(${x}px, ${y - lift}px)`;
  });
  const finish = (drop) => {
    listening.abort();
    if (rider) putDown(rider, button, drop, act, motion);
  };
  listen("pointerup", (up) => up.pointerId === down.pointerId && finish({ x: up.clientX, y: up.clientY - lift }));
  listen("pointercancel", () => finish(null));
  listen("keydown", (event) => event.key === "Escape" && finish(null));
  listen("pointerdown", (other) => other.pointerId !== down.pointerId && finish(null));
}

function pickUp(button, act, tile) {
  const { left, top, width, height } = button.getBoundingClientRect();
  const rider = button.cloneNode(true);
  rider.className = "hand-tile rider";
  rider.removeAttribute("data-testid");
  for (const [name, value] of Object.entries({ left, top, width, height })) rider.style[name] = `${value}px`;
  document.body.append(rider);
  button.dataset.dragged = "true";
  button.dataset.away = "true";
  act.lift(tile);
  return rider;
}

function putDown(rider, button, drop, act, motion) {
  delete button.dataset.away;
  const end = drop && nearestEnd(drop);
  act.drop(end);
  setTimeout(() => delete button.dataset.dragged); // the click of this press comes first
  if (end || !motion) rider.remove();
  else
    rider
      .animate([{}, { transform: "none" }], { duration: 160, easing: "ease-out" })
      .finished.finally(() => rider.remove());
}

/** The open end that the tile was let go over, or null. */
function nearestEnd({ x, y }) {
  const places = [...document.querySelectorAll(".place[data-end], .preview[data-end]")].map((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return { end: node.dataset.end, distance: Math.hypot(x - left - width / 2, y - top - height / 2) };
  });
  const [nearest] = places.sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= SNAP ? nearest.end : null;
}
