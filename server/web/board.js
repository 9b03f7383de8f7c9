/** The felt: the chain, the ends, what the chosen tile would do there, and the tools to look at it. */

import { besideTile, END_LETTERS, entryOf, insideBoard, isDouble, layOut, nextPlaces, placeFor } from "./geometry.js";
import { h, lasting, lastingEach, plainKey } from "./keyed.js";
import { backPicture, icon, outline, tileParts, widthOf } from "./pictures.js";
import { branches, counts, dealName, draws, lastTileAt, playsOf } from "./state.js";
import { chipText, formatNumber, spokenEnds, spokenTile, t } from "./texts.js";
import { PREVIEW, SENDING, TILE, WAIT } from "./turn.js";

const NUMERALS_BELOW = 16; // pixels a half tile
const LARGEST_TARGET = 22; // radius in pixels
const SMALLEST_TARGET = 12;
const FLIGHT = 260; // milliseconds
const APPEARING = 80;
const MARK_HEIGHT = 20; // pixels
const CHIP_HEIGHT = 22;
const MOST_STEPS = 3; // that a mark or chip stands away from its end

/**
 * The board of `room`. `scene`: {room, choice, offers, camera, fresh (tiles that have just been played), near (the end that
 * a dragged tile has snapped to), motion, positions (the node that lists places, or nothing)}.
 */
export function board(scene, act) {
  const { room, choice, camera } = scene;
  const chain = chainOf(room);
  const ends = openEnds(room, chain);
  const places = ends.flatMap(({ end }) => nextPlaces(chain, end));
  camera.follow(chain.tiles, places, dealName(room));
  const view = { ...scene, chain, ends };
  return h(
    "div",
    { class: "board-frame", key: "board" },
    tools(camera),
    h(
      "svg",
      {
        class: "board",
        "data-testid": "board",
        "data-state": choice.state,
        "data-seq": room.seq,
        "data-scale": (camera.view.scale * 2).toFixed(1),
        "data-rot": camera.view.rotation,
        "data-mode": camera.view.mode,
        role: "img",
        tabindex: 0,
        "aria-label": boardLabel(room, chain),
        attach: act.attachBoard,
        onclick: (event) => tapped(event, camera, act),
        onmousedown: (event) => event.preventDefault(), // a mouse does not move the focus here
        onkeydown: (event) => boardKey(event, camera, act),
      },
      h("g", { class: "camera", "data-testid": "camera", style: cameraStyle(camera) }, content(view)),
      edgeArrows(view, act),
    ),
    draws(room) && room.deal ? boneyard(scene, act) : null,
    chainInWords(room, chain),
    scene.positions || null,
  );
}

let newest; // the chain that was seen last, which most often goes on

const chainOf = lasting((room) => (newest = layOut(playsOf(room.deal), branches(room), newest)));

/** The ends of the layout as the server lists them; before the opening the one place in the middle. */
function openEnds(room, chain) {
  if (!room.deal) return [];
  return chain.tiles.length ? room.deal.layout.ends : [{ end: "start", value: null, counts: 0 }];
}

function cameraStyle(camera) {
  const { rotation, scale } = camera.view;
  const angle = (-rotation * Math.PI) / 180; // shadows fall downwards on the screen, however the chain is turned
  return {
    transform: camera.transform,
    "--upright": `${-rotation}deg`,
    "--inverse": String(1 / scale),
    "--down-x": `${(-Math.sin(angle)).toFixed(3)}px`,
    "--down-y": `${Math.cos(angle).toFixed(3)}px`,
    ...(scale * 2 < NUMERALS_BELOW ? { "--pips": "0", "--numerals": "1" } : {}),
  };
}

function content(view) {
  const { choice, ends, offers, chain } = view;
  const offered = offers.plays.filter(({ tile }) => tile === choice.tile);
  const lit = choice.state === SENDING ? [] : offered;
  const marked = chain.tiles.length ? ends.filter(({ end }) => !offered.some((offer) => offer.end === end)) : [];
  return [
    laidTiles(view),
    marked.map((end) => endMark(view, end)),
    lit.filter(({ end }) => end !== choice.end).map((offer) => litPlace(view, offer)),
    choice.end ? ghost(view) : null,
    lit.map((offer) => chip(view, offer)),
  ];
}

function laidTiles({ chain, fresh, motion }) {
  return chain.tiles.map((placed) => {
    const coming = fresh.find(({ tile }) => tile === placed.tile);
    return laidTile(placed, placed.tile === chain.spinner, motion && coming);
  });
}

const laidTile = lastingEach((placed, isSpinner, coming) => {
  const { x, y } = middleOf(placed);
  return h(
    "g",
    {
      key: `tile-${placed.tile}`,
      class: `tile${isSpinner ? " spinner" : ""}`,
      "data-testid": `tile-${placed.tile}`,
      style: { transform: `translate(${x}px, ${y}px)` }, // of the style, so that a tile that moves is seen to move
      attach: (node) => coming && fly(node, `[data-seat="${coming.seat}"]`, placed, coming.delay),
    },
    tileParts(placed.halves, placed.w > placed.h),
  );
});

/** Lets a tile come from where that seat is on the screen, or that tile in the hand: the first that fits `selector`. */
function fly(node, selector, placed, delay = 0) {
  const from = document.querySelector(selector)?.getBoundingClientRect();
  const matrix = node.parentNode.getScreenCTM()?.inverse();
  if (!from || !matrix) return;
  const start = new DOMPoint(from.x + from.width / 2, from.y + from.height / 2).matrixTransform(matrix);
  const end = middleOf(placed);
  node.animate(
    [
      { transform: `translate(${start.x}px, ${start.y}px) scale(0.7)`, opacity: 0.2 },
      { transform: `translate(${end.x}px, ${end.y}px)`, opacity: 1 },
    ],
    { duration: FLIGHT, delay, easing: "ease-out", fill: "backwards" },
  );
}

/**
 * What an end counts now, as a solid number; a ring where it counts nothing. In games without points, its pips. A new
 * one is there when the tiles have come.
 */
function endMark({ room, chain, camera, fresh, motion }, { end, value, counts: worth }) {
  const counting = !counts(room) || worth > 0 || (value === 0 && isUsed(chain, end));
  const number = formatNumber(counts(room) ? worth : value);
  const width = counting ? 20 + widthOf(END_LETTERS[end] + number) : MARK_HEIGHT;
  const point = pointBeside(chain, end, camera, { steps: 1.1, width, height: MARK_HEIGHT });
  const [x, y] = insideBoard(point, camera, { w: width, h: MARK_HEIGHT });
  return upright(
    `end-${END_LETTERS[end]}-${lastTileAt(room.deal, end)}`,
    point,
    {
      class: `end-mark${counting ? "" : " hollow"}`,
      "data-testid": `end-${END_LETTERS[end]}`,
      attach: (node) => motion && appear(node, landing(fresh) - performance.now()),
    },
    h("rect", { x: x - width / 2, y: y - MARK_HEIGHT / 2, width, height: MARK_HEIGHT, rx: MARK_HEIGHT / 2 }),
    h(
      "text",
      { x, y, dy: 4.5 },
      h("tspan", { class: "letter" }, END_LETTERS[end]),
      counting ? h("tspan", { dx: 4 }, number) : null,
    ),
  );
}

/** When the last of the tiles that are coming will lie. */
function landing(fresh) {
  return Math.max(0, ...fresh.map(({ since, delay }) => since + delay + FLIGHT));
}

/** Lets a node be seen after so many milliseconds. */
function appear(node, delay) {
  if (delay > 0) node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: APPEARING, delay, fill: "backwards" });
}

/** Whether a blank end counts, if only 0. Not so the bare sides of a spinner, and the second side of a lone double. */
function isUsed(chain, end) {
  if (end === "up" || end === "down") return chain.plays.some((play) => play.end === end);
  return !(end === "right" && chain.tiles.length === 1 && isDouble(chain.tiles[0].tile));
}

/**
 * A point beside an end, `steps` away from its tile, or as far as it takes for something `width` x `height` pixels to
 * clear that tile.
 */
function pointBeside(chain, end, camera, { steps, width, height }) {
  const { x, y, dx, dy } = entryOf(chain, nextPlaces(chain, end)[0]);
  const acrossScreen = (dx !== 0) === (camera.view.rotation % 180 === 0);
  const clear = ((acrossScreen ? width : height) / 2 + 4) / camera.view.scale;
  const away = Math.min(MOST_STEPS, Math.max(steps, clear));
  return { x: x + dx * away, y: y + dy * away };
}

function litPlace({ chain, choice, offers, camera, near }, { end }) {
  const place = placeFor(chain, choice.tile, end);
  const others = offers.plays.filter((other) => other.tile === choice.tile && other.end !== end);
  const centre = middleOf(place);
  const radius = targetRadius(
    camera,
    centre,
    others.map((other) => middleOf(placeFor(chain, choice.tile, other.end))),
  );
  return h(
    "g",
    {
      key: `place-${end}`,
      class: `place${end === near ? " near" : ""}`,
      "data-testid": `place-${END_LETTERS[end]}`,
      "data-end": end,
    },
    ["place-edge", "place-line"].map((name) => outline(name, place)),
    h("circle", { class: "place-target", cx: centre.x, cy: centre.y, r: radius / camera.view.scale }),
  );
}

/** At most a finger wide, and never more than half the way to the next lit end. */
function targetRadius(camera, point, others) {
  const gaps = others.map((other) => (Math.hypot(other.x - point.x, other.y - point.y) * camera.view.scale) / 2);
  return Math.max(SMALLEST_TARGET, Math.min(LARGEST_TARGET, ...gaps));
}

/** The chosen tile at the chosen end, not yet played. It comes from the hand, unless it was dragged there. */
function ghost({ chain, choice, motion }) {
  const placed = placeFor(chain, choice.tile, choice.end);
  const { x, y } = middleOf(placed);
  const look = choice.state === SENDING ? "sending" : choice.state === WAIT ? "prepared" : "ready";
  return h(
    "g",
    {
      key: "preview",
      class: `preview ${look}`,
      "data-testid": `place-${END_LETTERS[choice.end]}`,
      "data-preview": true,
      transform: `translate(${x} ${y})`,
      attach: (node) => motion && !choice.carried && fly(node, `[data-tile="${choice.tile}"]`, placed),
    },
    h("g", { class: "tile" }, tileParts(placed.halves, placed.w > placed.h)),
    ["preview-edge", "preview-line"].map((name) => outline(name, { ...placed, x: -placed.w / 2, y: -placed.h / 2 })),
  );
}

/** What the tile would do there. On a preview it stands beside the tile, so that the pips can be seen. */
function chip(view, { end, play }) {
  const { room, chain, choice, camera, near } = view;
  const text = play ? chipText(room, play, end) : "";
  if (!text || ![TILE, PREVIEW].includes(choice.state)) return null;
  const place = placeFor(chain, choice.tile, end);
  const label = { w: 18 + widthOf(text), h: CHIP_HEIGHT };
  const wanted = end === choice.end ? null : onPlace(view, end, place, label);
  const others = view.offers.plays.filter((other) => other.tile === choice.tile && other.end !== end);
  const taken = [...chain.tiles, ...others.map((other) => placeFor(chain, choice.tile, other.end))];
  const [x, y] = besideTile(place, taken, camera, label, wanted);
  return upright(
    `chip-${end}`,
    middleOf(place),
    { class: `chip-place${play.accepted === false ? " over" : ""}${end === near ? " near" : ""}` },
    h(
      "g",
      { transform: `translate(${x} ${y})` },
      h("rect", { x: -label.w / 2, y: -label.h / 2, width: label.w, height: label.h, rx: label.h / 2 }),
      h("text", { dy: 4.5 }, text),
    ),
  );
}

/** What moves a chip from the middle of its place to where it lies on it, clear of the tile beside it. */
function onPlace({ chain, choice, camera }, end, place, label) {
  const steps = isDouble(choice.tile) ? 1 : 2;
  const middle = middleOf(place);
  const point = chain.tiles.length
    ? pointBeside(chain, end, camera, { steps, width: label.w, height: label.h })
    : middle;
  const [from, to] = [middle, point].map((at) => camera.toScreen(at));
  const [x, y] = insideBoard(point, camera, label);
  return [to.x - from.x + x, to.y - from.y + y];
}

/** A group at a lattice point whose content is upright and in pixels, however the chain is turned and scaled. */
function upright(key, { x, y }, attrs, ...children) {
  return h("g", { key, ...attrs, transform: `translate(${x} ${y})` }, h("g", { class: "upright" }, children));
}

function edgeArrows({ chain, ends, camera, offers, choice }, act) {
  const { w, h: height } = camera.size;
  if (!chain.tiles.length || !w) return [];
  const lit = offers.plays.filter(({ tile }) => tile === choice.tile).map(({ end }) => end);
  return ends.flatMap(({ end }) => {
    const point = pointBeside(chain, end, camera, { steps: 1, width: 0, height: 0 });
    const seen = camera.toScreen(point);
    if (seen.x >= 0 && seen.y >= 0 && seen.x <= w && seen.y <= height) return [];
    const x = Math.min(w - 30, Math.max(30, seen.x));
    const y = Math.min(height - 30, Math.max(30, seen.y));
    const angle = (Math.atan2(seen.y - y, seen.x - x) * 180) / Math.PI;
    return h(
      "g",
      {
        key: `arrow-${end}`,
        class: `edge-arrow${lit.includes(end) ? " lit" : ""}`,
        "data-testid": `arrow-${END_LETTERS[end]}`,
        transform: `translate(${x} ${y})`,
        onclick: (event) => {
          event.stopPropagation();
          if (!camera.travelled) act.look(point);
        },
      },
      h("circle", { r: 22 }),
      h("path", { d: "M13,-6 21,0 13,6Z", transform: `rotate(${angle.toFixed(0)})` }),
      h("text", { dy: 5 }, END_LETTERS[end]),
    );
  });
}

function boardKey(event, camera, act) {
  const key = plainKey(event);
  if (key === "Enter" && !event.repeat) act.choose({ type: "preview" });
  else if (!camera.key(key)) return;
  event.preventDefault();
}

function tapped(event, camera, act) {
  if (camera.travelled) return;
  const preview = event.target.closest("[data-preview]");
  const place = event.target.closest("[data-end]");
  if (preview) act.choose({ type: "preview" });
  else if (place) act.choose({ type: "end", end: place.dataset.end, by: "tap" });
  else act.choose({ type: "cancel" });
}

/** The boneyard with its count; a button when a tile has to be drawn. */
function boneyard({ room, offers }, act) {
  const count = room.deal.stock;
  const pile = [backPicture(), h("b", {}, formatNumber(count))];
  if (!offers.draw) {
    const label = t("boneyard", { count });
    return h("p", { key: "pile", class: "boneyard", role: "img", title: label, "aria-label": label }, pile);
  }
  const ask = () => act.choose({ type: "draw" });
  return h(
    "button",
    { key: "draw", type: "button", class: "boneyard wanted", "data-testid": "draw", onclick: ask },
    pile,
    t("draw"),
  );
}

function tools(camera) {
  const tool = (name, press) =>
    h(
      "button",
      {
        key: name,
        type: "button",
        class: "tool",
        "aria-label": t(`tool.${name}`),
        title: t(`tool.${name}`),
        onclick: press,
      },
      icon(name),
    );
  return h(
    "div",
    { class: "tools", role: "group", "aria-label": t("tools") },
    tool("plus", () => camera.zoomIn()),
    tool("minus", () => camera.zoomOut()),
    tool("fit", () => camera.fit()),
    tool("rotate", () => camera.rotate()),
  );
}

function boardLabel(room, chain) {
  if (!chain.tiles.length) return t("board.empty");
  const slots = { ends: spokenEnds(room), total: room.deal.layout.total, count: chain.tiles.length };
  return counts(room) ? t("board.label_total", slots) : t("board.label", slots);
}

/** The chain arm by arm, for those who do not see it. */
function chainInWords(room, chain) {
  const opening = chain.plays[0];
  if (!opening) return null;
  const arms = ["left", "right", "up", "down"].map((end) => [end, chain.plays.filter((play) => play.end === end)]);
  return h(
    "ul",
    { class: "hidden-text" },
    h("li", { key: "opening" }, t("board.opening", { tile: spokenTile(opening.tile) })),
    arms
      .filter(([, plays]) => plays.length)
      .map(([end, plays]) =>
        h(
          "li",
          { key: end },
          t("board.arm", { end: END_LETTERS[end], tiles: plays.map(({ tile }) => spokenTile(tile)).join(", ") }),
        ),
      ),
  );
}

function middleOf({ x, y, w, h: height }) {
  return { x: x + w / 2, y: y + height / 2 };
}
