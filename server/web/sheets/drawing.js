/** Pictures of small layouts for the rules: tiles on felt, with what each end counts. */

import { END_LETTERS, isDouble, layOut, nextPlaces } from "../geometry.js";
import { h } from "../keyed.js";
import { tileParts } from "../pictures.js";
import { formatList, formatNumber, spokenTile, t } from "../texts.js";

const STEP = 12; // pixels
const MARGIN = 8;
const MARK = { height: 20, ring: 20, solid: 30, digit: 8, gap: 5 };

/**
 * The layout after `plays` with its `ends` as the server lists them. `counts`: whether points are made of them. The tile
 * `marked` stands out; `label` says what is seen, where it is not the tiles alone.
 */
export function layoutPicture({ plays, ends, marked, label }, branching, counts) {
  const chain = layOut(plays, branching);
  const marks = ends.map((end) => markOf(chain, end, counts));
  const frame = around([...chain.tiles.map(inPixels), ...marks]);
  const tiles = chain.tiles.toSorted((one, other) => one.x - other.x || one.y - other.y);
  return h(
    "svg",
    {
      class: "layout-picture",
      viewBox: `${frame.x} ${frame.y} ${frame.w} ${frame.h}`,
      width: frame.w,
      height: frame.h,
      role: "img",
      "aria-label": label ?? t("rules.picture", { tiles: formatList(tiles.map(({ tile }) => spokenTile(tile))) }),
    },
    h(
      "g",
      { transform: `scale(${STEP})` },
      chain.tiles.map((placed) => tileOf(chain, placed, placed.tile === marked)),
    ),
    marks.map(drawnMark),
  );
}

function tileOf(chain, placed, isMarked) {
  const { x, y } = middle(placed);
  const { w, h: height } = placed;
  return h(
    "g",
    {
      key: placed.tile,
      class: placed.tile === chain.spinner ? "tile spinner" : "tile",
      transform: `translate(${x} ${y})`,
    },
    tileParts(placed.halves, placed.w > placed.h),
    isMarked ? h("rect", { class: "mark", x: -w / 2, y: -height / 2, width: w, height, rx: 0.4 }) : null,
  );
}

function middle({ x, y, w, h: height }) {
  return { x: x + w / 2, y: y + height / 2 };
}

function inPixels({ x, y, w, h: height }) {
  return { x: x * STEP, y: y * STEP, w: w * STEP, h: height * STEP };
}

/** The mark of an end in pixels: a rectangle and a number, null for a ring, which counts nothing. */
function markOf(chain, { end, value, counts: worth }, counts) {
  const hollow = counts && !worth && isBare(chain, end);
  const number = counts ? worth : value;
  const w = widthOf(hollow ? null : number);
  const [place] = nextPlaces(chain, end);
  const lying = place.w > place.h;
  const away = Math.sign(middle(place)[lying ? "x" : "y"] - nearest(chain, place)[lying ? "x" : "y"]);
  const centre = middle(place);
  const reach = (lying ? w : MARK.height) / 2 + MARK.gap;
  const at = (axis, long) => centre[axis] * STEP + (long ? away * (reach - 2 * STEP) : 0);
  return {
    key: END_LETTERS[end],
    number: hollow ? null : number,
    x: at("x", lying) - w / 2,
    y: at("y", !lying) - MARK.height / 2,
    w,
    h: MARK.height,
  };
}

function widthOf(number) {
  return number === null ? MARK.ring : MARK.solid + MARK.digit * String(number).length;
}

/** Whether nothing lies there that could count: at the bare sides of a spinner, and at one side of a lone double. */
function isBare({ plays, tiles }, end) {
  const isLone = tiles.length === 1 && isDouble(tiles[0].tile) && end === "right";
  return isLone || ((end === "up" || end === "down") && !plays.some((play) => play.end === end));
}

/** The middle of the tile that the place touches. */
function nearest(chain, place) {
  const to = middle(place);
  const distance = (tile) => Math.hypot(middle(tile).x - to.x, middle(tile).y - to.y);
  return middle(chain.tiles.toSorted((one, other) => distance(one) - distance(other))[0]);
}

function drawnMark({ key, number, x, y, w, h: height }) {
  const hollow = number === null;
  return h(
    "g",
    { key: `mark-${key}`, class: `end-mark${hollow ? " hollow" : ""}` },
    h("rect", { x, y, width: w, height, rx: height / 2 }),
    h(
      "text",
      { x: x + w / 2, y: y + height / 2, dy: 4.5 },
      h("tspan", { class: "letter" }, key),
      hollow ? null : h("tspan", { dx: 4 }, formatNumber(number)),
    ),
  );
}

/** The mark of an end alone: one that counts `number`, or, without a number, the ring of one that counts nothing. */
export function markPicture(number) {
  const w = widthOf(number);
  return h(
    "svg",
    {
      class: "layout-picture mark",
      viewBox: `-2 -2 ${w + 4} ${MARK.height + 4}`,
      width: w + 4,
      height: MARK.height + 4,
    },
    drawnMark({ key: "A", number, x: 0, y: 0, w, h: MARK.height }),
  );
}

function around(boxes) {
  const x = Math.min(...boxes.map((box) => box.x)) - MARGIN;
  const y = Math.min(...boxes.map((box) => box.y)) - MARGIN;
  const right = Math.max(...boxes.map((box) => box.x + box.w)) + MARGIN;
  const bottom = Math.max(...boxes.map((box) => box.y + box.h)) + MARGIN;
  return { x, y, w: right - x, h: bottom - y };
}
