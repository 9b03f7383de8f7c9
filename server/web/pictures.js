/** Everything that is drawn but is not the board: how a tile looks, the shapes of the sides, icons, the score track. */

import { pipsOf } from "./geometry.js";
import { h } from "./keyed.js";
import { counts, isExact, scoreBefore } from "./state.js";
import { sideName, spokenTile, t } from "./texts.js";

const OFFSET = 0.47; // of a pip from the middle of its half; a half is 2 x 2
const COLUMN = [-OFFSET, 0, OFFSET];
const PIPS = {
  0: [],
  1: [[0, 0]],
  2: [
    [-OFFSET, -OFFSET],
    [OFFSET, OFFSET],
  ],
  3: [
    [-OFFSET, -OFFSET],
    [0, 0],
    [OFFSET, OFFSET],
  ],
  4: COLUMN.flatMap((y) =>
    y
      ? [
          [-OFFSET, y],
          [OFFSET, y],
        ]
      : [],
  ),
  5: [
    [0, 0],
    ...COLUMN.flatMap((y) =>
      y
        ? [
            [-OFFSET, y],
            [OFFSET, y],
          ]
        : [],
    ),
  ],
  6: COLUMN.flatMap((y) => [
    [-OFFSET, y],
    [OFFSET, y],
  ]),
};
const INSET = 0.14; // how much smaller than its place a tile is drawn, all round

let ruler = null;

/** The shapes that all tiles are made of; has to be in the page once. */
export function sprite() {
  return h(
    "svg",
    { class: "sprite", "aria-hidden": "true", key: "sprite" },
    h("defs", {}, bodies(), halves(), tileBack()),
  );
}

function bodies() {
  return [
    ["h", 4, 2],
    ["v", 2, 4],
  ].map(([name, width, height]) => {
    const box = {
      x: INSET - width / 2,
      y: INSET - height / 2,
      width: width - 2 * INSET,
      height: height - 2 * INSET,
      rx: 0.3,
    };
    const groove = width > height ? "M0,-0.6V0.6" : "M-0.6,0H0.6";
    return h(
      "g",
      { id: `body-${name}`, key: `body-${name}` },
      h("rect", { ...box, class: "tile-shadow" }),
      h("rect", { ...box, class: "tile-edge" }),
      h("rect", { ...box, class: "tile-face" }),
      h("path", { d: groove, class: "tile-groove" }),
      h("circle", { r: 0.13, class: "tile-pin" }),
    );
  });
}

/** Each half twice: `half-v3` stands in an upright tile, `half-h3` in a lying one. Numerals stay upright in both. */
function halves() {
  return ["v", "h"].flatMap((way) =>
    Object.entries(PIPS).map(([value, places]) =>
      h(
        "g",
        { id: `half-${way}${value}`, key: `half-${way}${value}`, fill: `var(--pip-${value}, var(--pip))` },
        h(
          "g",
          { class: "pips", transform: way === "h" ? "rotate(90)" : null },
          places.map(([cx, cy]) => h("circle", { cx, cy, r: 0.18 })),
        ),
        h("text", { class: "numeral", dy: 0.46 }, value),
      ),
    ),
  );
}

function tileBack() {
  const stripes = [-2.4, -1.2, 0, 1.2, 2.4].map((y) => `M-0.6,${y + 0.6}L0.6,${y - 0.6}`).slice(1, -1);
  return h(
    "g",
    { id: "tile-back" },
    h("rect", { x: -0.86, y: -1.86, width: 1.72, height: 3.72, rx: 0.3, class: "back-face" }),
    h("path", { d: stripes.join(""), class: "back-pattern" }),
  );
}

/** The parts of a tile around 0,0: `pips` are its left (or top) and its right (or bottom) half. */
export function tileParts([first, second], lying) {
  const way = lying ? "h" : "v";
  const [x, y] = lying ? [1, 0] : [0, 1];
  return [
    h("use", { key: "body", href: `#body-${way}` }),
    h("use", { key: "first", href: `#half-${way}${first}`, x: -x, y: -y }),
    h("use", { key: "second", href: `#half-${way}${second}`, x, y }),
  ];
}

/** An upright tile as a picture of its own. */
export function tilePicture(pips, attrs = {}) {
  return h(
    "svg",
    { viewBox: "-1 -2 2 4", class: "tile-picture", "aria-hidden": "true", ...attrs },
    tileParts(pips, false),
  );
}

/** The same with its name, for those who do not see it. */
export function tileImage(tile) {
  const attrs = { key: tile, role: "img", "aria-label": spokenTile(tile), "aria-hidden": null, "data-tile": tile };
  return tilePicture(pipsOf(tile), attrs);
}

/** The edge of a tile that lies, or would lie, at a place of the lattice. */
export function outline(name, { x, y, w, h: height }) {
  return h("rect", {
    key: name,
    class: name,
    x: x + INSET,
    y: y + INSET,
    width: w - 2 * INSET,
    height: height - 2 * INSET,
    rx: 0.3,
  });
}

export function backPicture() {
  return h(
    "svg",
    { viewBox: "-1 -2 2 4", class: "tile-picture back", "aria-hidden": "true" },
    h("use", { href: "#tile-back" }),
  );
}

const SIDE_SHAPES = [
  { name: "circle", d: "M6 1a5 5 0 1 0 0 10a5 5 0 1 0 0-10Z" },
  { name: "triangle", d: "M6 0.8 11.4 10.6H0.6Z" },
  { name: "square", d: "M1.4 1.4H10.6V10.6H1.4Z" },
  { name: "diamond", d: "M6 0.4 11.6 6 6 11.6 0.4 6Z" },
];

/** The mark of a side: a shape in its colour. */
export function sideMark(side) {
  return h(
    "svg",
    { viewBox: "0 0 12 12", class: `side-mark side-${side}`, "aria-hidden": "true" },
    h("path", { d: SIDE_SHAPES[side].d }),
  );
}

/** The same around 0,0 of a larger drawing. */
export function sideShape(side) {
  return h("path", { d: SIDE_SHAPES[side].d, transform: "translate(-9 -9) scale(1.5)" });
}

const ICONS = {
  hello:
    "M8 12.5V6.2a1.2 1.2 0 0 1 2.4 0V11M10.4 11V4.7a1.2 1.2 0 0 1 2.4 0V11M12.8 11V5.6a1.2 1.2 0 0 1 2.4 0V12M15.2 9.2a1.2 1.2 0 0 1 2.4 0V14a6 6 0 0 1-6 6 6 6 0 0 1-5-2.7l-2.3-3.9a1.2 1.2 0 0 1 2-1.3L8 14",
  nice: "M7 11v8H4v-8Zm0 0 4-7a2 2 0 0 1 2 2v4h5.2a1.8 1.8 0 0 1 1.8 2.2l-1.3 5.4A1.8 1.8 0 0 1 17 19H7",
  well_played: "m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8Z",
  wow: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17ZM9 9v1.4M15 9v1.4M12 13.2a2 2.3 0 1 0 0 4.6 2 2.3 0 1 0 0-4.6Z",
  thinking:
    "M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8l-4 3.5v-3.5H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5ZM8 10.5h.01M12 10.5h.01M16 10.5h.01",
  oops: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17ZM9 9v1.4M15 9v1.4M8 16q1.3-2 2.7-.6t2.7 0T16 15",
  thanks: "M12 20s-7.5-4.7-7.5-10A4.2 4.2 0 0 1 12 7.5 4.2 4.2 0 0 1 19.5 10c0 5.3-7.5 10-7.5 10Z",
  again: "M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4",
  eye: "M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6ZM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5Z",
  settings:
    "M12 9a3 3 0 1 0 0 6 3 3 0 1 0 0-6ZM10.6 3.5h2.8l.4 2.3 1.7.7 1.9-1.4 2 2-1.4 1.9.7 1.7 2.3.4v2.8l-2.3.4-.7 1.7 1.4 1.9-2 2-1.9-1.4-1.7.7-.4 2.3h-2.8l-.4-2.3-1.7-.7-1.9 1.4-2-2 1.4-1.9-.7-1.7-2.3-.4v-2.8l2.3-.4.7-1.7-1.4-1.9 2-2 1.9 1.4 1.7-.7Z",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 6v12M6 12h12",
  minus: "M6 12h12",
  fit: "M4 9V5h4M16 5h4v4M20 15v4h-4M8 19H4v-4",
  rotate: "M18.5 13a6.5 6.5 0 1 1-2-5.6M18.5 4v4.5H14",
  back: "M14 6l-6 6 6 6",
  hint: "M9.5 17.5h5M10.5 20.5h3M12 3.5a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.1v1.1h5v-1.1c0-.8.4-1.5 1.1-2.1A6 6 0 0 0 12 3.5Z",
  undo: "M8.5 5 4.5 9l4 4M5 9h9a5 5 0 0 1 0 10h-4",
  redo: "M15.5 5 19.5 9 15.5 13M19 9h-9a5 5 0 0 0 0 10h4",
  restart: "M5 12a7 7 0 1 0 2.2-5.1M5 4v4h4",
  new_game: "M6.5 3.5h7l4 4v13h-11ZM13.5 3.5v4h4M12 11v6M9 14h6",
  react:
    "M5 5h14a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8l-4 3.5v-3.5H5a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 5 5ZM8 10.5h.01M12 10.5h.01M16 10.5h.01",
  more: "M4.5 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0ZM11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0ZM17.5 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0Z",
  share: "M12 15V4M8 8l4-4 4 4M6 12v7h12v-7",
};

/** The keys of the reactions, as the server knows them. */
export const REACTIONS = ["hello", "nice", "well_played", "wow", "thinking", "oops", "thanks", "again"];

export function icon(name) {
  return lineIcon(ICONS[name]);
}

/** An icon drawn by one path in a square of 24. */
export function lineIcon(d) {
  return h("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, h("path", { d }));
}

const TRACK_LENGTH = 400;
const TRACK_EDGE = 13; // from the edge of the picture to the start hole, and from the last one
const MOST_HOLES = 120;
const FIVE = 5; // holes in a group
const GAP = 0.7; // between two groups, in steps from hole to hole
const TICKS = 10; // of a bar, where holes are not counted
const PEG_TIME = 60; // milliseconds a hole
const LONGEST_PEG_TIME = 500;

/** The score track: one row a side, with a peg for the score now and one for the score before its last gain. */
export function scoreTrack(room) {
  const { target } = room.settings;
  const unit = isExact(room) ? 1 : FIVE;
  const isBar = !counts(room) || target / unit > MOST_HOLES;
  const track = { target, unit, isBar, row: room.scores.length > 2 ? 14 : 17 };
  const label = room.scores
    .map((score, side) => t("score.of", { name: sideName(room, side), score, target }))
    .join("; ");
  return h(
    "svg",
    {
      class: "track",
      "data-testid": "track",
      viewBox: `0 0 ${TRACK_LENGTH} ${room.scores.length * track.row}`,
      role: "img",
      "aria-label": label,
    },
    room.scores.map((_, side) => trackRow(room, side, track)),
  );
}

/**
 * Where `score` is on its way, from 0 at the start to 1 at `target`.
 *
 * One hole for each `unit` points, in groups of five with a gap between them; what is no whole number of holes lies
 * between two.
 */
export function placeOnTrack(score, { target, unit, isBar }) {
  if (isBar) return Math.min(score, target) / target;
  return stepsTo(Math.min(score, target) / unit) / stepsTo(target / unit);
}

function stepsTo(hole) {
  const whole = Math.floor(hole);
  return atHole(whole) + (atHole(whole + 1) - atHole(whole)) * (hole - whole);
}

function atHole(number) {
  return number + GAP * Math.floor(Math.max(0, number - 1) / FIVE);
}

function trackRow(room, side, track) {
  const [before, now] = [scoreBefore(room, side), room.scores[side]].map((score) => onTrack(score, track));
  const holes = Math.abs(room.scores[side] - scoreBefore(room, side)) / track.unit;
  const time = `${Math.min(LONGEST_PEG_TIME, PEG_TIME * holes)}ms`;
  return h(
    "g",
    { key: side, transform: `translate(0 ${(side + 0.5) * track.row})`, class: `side-${side}` },
    h("line", { class: "track-done", x1: TRACK_EDGE, x2: now }),
    track.isBar ? bar() : holesOf(track),
    peg(side, before, "before", time),
    peg(side, now, "now", time),
  );
}

function onTrack(score, track) {
  return TRACK_EDGE + (TRACK_LENGTH - 2 * TRACK_EDGE) * placeOnTrack(score, track);
}

/** The holes, as one path; start and target are rings of their own. */
function holesOf(track) {
  const last = track.target / track.unit;
  const between = Array.from({ length: Math.ceil(last) - 1 }, (_, hole) => (hole + 1) * track.unit);
  return [
    h("path", { key: "holes", class: "track-holes", d: between.map((at) => ring(onTrack(at, track), 1.5)).join("") }),
    h("path", {
      key: "marks",
      class: "track-marks",
      d: [0, track.target].map((at) => ring(onTrack(at, track), 3.4)).join(""),
    }),
  ];
}

function ring(x, r) {
  return `M${(x - r).toFixed(1)},0a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0`;
}

/** A line with ticks, for points that are too many or too few for holes. */
function bar() {
  const length = TRACK_LENGTH - 2 * TRACK_EDGE;
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => {
    const half = tick % FIVE ? 2 : 4.5;
    return `M${(TRACK_EDGE + (length * tick) / TICKS).toFixed(1)},${-half}v${2 * half}`;
  });
  return h("path", { key: "bar", class: "track-bar", d: `M${TRACK_EDGE},0h${length}${ticks.join("")}` });
}

function peg(side, x, name, time) {
  return h(
    "g",
    {
      key: name,
      class: `peg ${name}`,
      "data-testid": `peg-${side}-${name}`,
      style: { transform: `translateX(${x.toFixed(1)}px)`, "transition-duration": time },
    },
    h("path", { d: SIDE_SHAPES[side].d, transform: "translate(-6.6 -6.6) scale(1.1)" }),
  );
}

/** The width of a text on the board, in pixels. */
export function widthOf(text) {
  ruler ??= rulerOf(`700 13px ${getComputedStyle(document.body).fontFamily}`);
  return ruler.measureText(text).width;
}

function rulerOf(font) {
  return Object.assign(document.createElement("canvas").getContext("2d"), { font });
}

/** `text` in parts, so that the name of a tile is not broken at its hyphen where a line ends. */
export function unbroken(text) {
  return text
    .split(/(\b[0-6]-[0-6]\b)/)
    .map((part, number) => (number % 2 ? h("span", { class: "tile-name" }, part) : part))
    .filter(Boolean);
}
