/**
 * Where each tile lies, as numbers, and where that is seen. The places are a pure function of the play order that knows
 * no window; only a view of them does.
 *
 * Lattice: one step is half of a tile's short side, whole numbers only, x to the right, y down. A single is 4x2 steps
 * along its line, a double 2x4 crosswise. An arm grows from the middle until its zone ends, then turns and comes back
 * one row further out; its zone is its own, so arms never meet.
 */

const LINE_WIDTH = 28;
const OPEN_WIDTH = 44; // a branching game before its spinner
const SPINNER_REACH = 17;
const SPINNER_SHORT_REACH = 14;
const SPINNER_CLEARANCE = 6;

const MARGIN = 12; // pixels around what is framed
/** Pixels a step at most where a view is framed by itself: 60 for half a tile. */
export const LARGEST = 30;

/** The letter that people see for each end. */
export const END_LETTERS = { start: "A", left: "A", right: "B", up: "C", down: "D" };

/** The two pips of a tile in wire form, low first. */
export function pipsOf(tile) {
  return tile.split("-").map(Number);
}

export function isDouble(tile) {
  const [low, high] = pipsOf(tile);
  return low === high;
}

/**
 * The chain after `plays`, a list of {tile, end} in play order (end null for the opening).
 *
 * `branching`: whether the first double opens two more arms. Gives {tiles, arms, recentred, ...}, with tiles in play
 * order, each {tile, x, y, w, h, halves: [left or top pip, right or bottom pip]}; `recentred` is the tile that made all
 * others move, or null. Where `before` is a chain that these plays go on from, its tiles are the same objects.
 */
export function layOut(plays, branching = false, before = emptyChain(branching)) {
  const goesOn = before.branching === branching && before.plays.every((play, at) => play === plays[at]);
  return goesOn ? plays.slice(before.plays.length).reduce(lay, before) : plays.reduce(lay, emptyChain(branching));
}

function emptyChain(branching) {
  return { branching, tiles: [], plays: [], arms: {}, boxed: false, spinner: null, recentred: null };
}

/** Where `tile` would lie at `end`; the same shape as a laid tile. */
export function placeFor(chain, tile, end) {
  if (!chain.tiles.length) return root(tile);
  const arms = boxedArms(chain, end, isDouble(tile)) ?? chain.arms;
  return laid(tile, arms[end], extend(arms[end], isDouble(tile)));
}

/** The rectangles {x, y, w, h} that the next tile at `end` can take: along the line, and crosswise if a double can. */
export function nextPlaces(chain, end) {
  if (!chain.tiles.length) return [root("0-1"), root("0-0")];
  return [false, true]
    .filter((double) => !(double && chain.arms[end].last === "cross")) // two doubles never meet
    .map((double) => extend((boxedArms(chain, end, double) ?? chain.arms)[end], double).rect);
}

/** How `place` is come to from the tile beside it: the middle of the edge that both have, and the step across it. */
export function entryOf(chain, place) {
  for (const tile of chain.tiles) {
    const [x, y] = [Math.max(tile.x, place.x), Math.max(tile.y, place.y)];
    const w = Math.min(tile.x + tile.w, place.x + place.w) - x;
    const h = Math.min(tile.y + tile.h, place.y + place.h) - y;
    if (w === 0 && h > 0) return { x, y: y + h / 2, dx: Math.sign(place.x - tile.x), dy: 0 };
    if (h === 0 && w > 0) return { x: x + w / 2, y, dx: 0, dy: Math.sign(place.y - tile.y) };
  }
  return null;
}

/** The smallest rectangle around `rects`. */
export function boundsOf(rects) {
  const x = Math.min(...rects.map((rect) => rect.x));
  const y = Math.min(...rects.map((rect) => rect.y));
  const right = Math.max(...rects.map((rect) => rect.x + rect.w));
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.h));
  return { x, y, w: right - x, h: bottom - y };
}

function lay(chain, play) {
  const plays = [...chain.plays, play];
  const double = isDouble(play.tile);
  if (!chain.tiles.length) return opened(chain, play.tile, plays);
  const isSpinner = chain.branching && chain.spinner === null && double;
  if (isSpinner && (chain.arms.left.bent || chain.arms.right.bent)) return recentred(chain, play, plays);

  const fixed = boxedArms(chain, play.end, double);
  const arms = fixed ?? chain.arms;
  const step = extend(arms[play.end], double);
  const placed = laid(play.tile, arms[play.end], step);
  const next = {
    ...chain,
    plays,
    boxed: chain.boxed || fixed !== null,
    tiles: [...chain.tiles, placed],
    arms: { ...arms, [play.end]: { ...step.arm, value: farPip(play.tile, arms[play.end].value) } },
  };
  return isSpinner ? anchored(next, placed) : next;
}

function opened(chain, tile, plays) {
  const placed = root(tile);
  const [low, high] = pipsOf(tile);
  const half = placed.w / 2;
  const shape = {
    axis: "x",
    c: 0,
    last: isDouble(tile) ? "cross" : "flat",
    phase: "run",
    bent: false,
    lo: -Infinity,
    hi: Infinity,
  };
  const arms = {
    left: { ...shape, s: -1, d: -1, t: -half, value: low },
    right: { ...shape, s: 1, d: 1, t: half, value: high },
  };
  const next = { ...chain, plays, tiles: [placed], arms };
  return chain.branching && isDouble(tile) ? anchored(next, placed) : next;
}

function root(tile) {
  const size = isDouble(tile) ? { x: -1, y: -2, w: 2, h: 4 } : { x: -2, y: -1, w: 4, h: 2 };
  return { tile, ...size, halves: pipsOf(tile) };
}

/**
 * The arms with their zone fixed, when the straight line has become too long for the next tile; else null.
 *
 * Until then the zone slides: it is wherever the line has grown to.
 */
function boxedArms(chain, end, double) {
  if (chain.boxed || chain.spinner !== null) return null;
  const { left, right } = chain.arms;
  const width = chain.branching ? OPEN_WIDTH : LINE_WIDTH;
  const span = right.t - left.t + (double ? 2 : 4);
  if (span <= width + (double ? 2 : 0)) return null;
  const lo = Math.min(left.t, right.t - width);
  const hi = Math.max(right.t, lo + width);
  return { left: { ...left, lo, hi }, right: { ...right, lo, hi } };
}

/** The spinner's four zones, a pinwheel: nothing that lies already is moved. */
function anchored(chain, spinner) {
  const { left, right } = chain.arms;
  const middle = spinner.x + 1;
  let lo = Math.min(left.t, middle - SPINNER_REACH);
  let hi = Math.max(right.t, middle + SPINNER_REACH);
  if (middle - lo > SPINNER_REACH) {
    hi = Math.max(right.t, middle + SPINNER_SHORT_REACH, lo + 2 * SPINNER_REACH);
  } else if (hi - middle > SPINNER_REACH) {
    lo = Math.min(left.t, middle - SPINNER_SHORT_REACH, hi - 2 * SPINNER_REACH);
  }
  const side = { axis: "y", c: middle, last: "flat", phase: "run", bent: false, value: spinner.halves[0] };
  const reach = { lo: SPINNER_CLEARANCE, hi: SPINNER_SHORT_REACH };
  const arms = {
    left: { ...left, lo, hi: middle - SPINNER_CLEARANCE },
    right: { ...right, lo: middle + SPINNER_CLEARANCE, hi },
    up: { ...side, s: -1, d: 1, t: -2, lo: -reach.hi, hi: -reach.lo },
    down: { ...side, s: 1, d: -1, t: 2, ...reach },
  };
  return { ...chain, arms, spinner: spinner.tile };
}

/**
 * The one case that moves tiles: the spinner comes on a line that has turned already.
 *
 * It becomes the middle, and the old line is laid anew as the arm behind it.
 */
function recentred(chain, { tile, end }, plays) {
  const [opening, ...rest] = chain.plays;
  const outward = (name) => rest.filter((play) => play.end === name);
  const fromLeft = [...outward("left").reverse(), opening, ...outward("right")];
  const behind = end === "left" ? "right" : "left";
  const line = end === "left" ? fromLeft : fromLeft.reverse();
  const again = layOut([{ tile, end: null }, ...line.map((play) => ({ tile: play.tile, end: behind }))], true);
  const byTile = new Map(again.tiles.map((placed) => [placed.tile, placed]));
  return { ...again, plays, tiles: plays.map((play) => byTile.get(play.tile)), recentred: tile };
}

/** One tile more on `arm`: {rect, arm, toward}. `toward`: {axis, sign}, from the pip that matches to the new end. */
function extend(arm, double) {
  if (arm.phase === "turn") return turned(arm, double);
  const edge = arm.t + arm.s * (double ? 2 : 4);
  const slack = double ? 2 : 0;
  const fits = arm.s > 0 ? edge <= arm.hi + slack : edge >= arm.lo - slack;
  return fits ? straight(arm, double, edge) : linked(arm);
}

function straight(arm, double, edge) {
  const width = double ? 2 : 1;
  return {
    rect: rectOn(arm.axis, [arm.t, edge], [arm.c - width, arm.c + width]),
    arm: { ...arm, t: edge, last: double ? "cross" : "flat" },
    toward: { axis: arm.axis, sign: arm.s },
  };
}

/** Round the corner, first part: always a single, hanging from the side of the last half or the end of a double. */
function linked(arm) {
  const base = arm.c + arm.d * (arm.last === "cross" ? 2 : 1);
  const column = arm.t - arm.s;
  const end = base + 4 * arm.d;
  return {
    rect: rectOn(arm.axis, [column - 1, column + 1], [base, end]),
    arm: { ...arm, phase: "turn", bent: true, column, corner: end, last: "flat" },
    toward: { axis: otherAxis(arm.axis), sign: arm.d },
  };
}

/** Second part: the first tile of the row that comes back. */
function turned(arm, double) {
  const { column, corner, s, d } = arm;
  const along = double ? [column - 2, column + 2] : [column + s, column - 3 * s];
  return {
    rect: rectOn(arm.axis, along, [corner, corner + 2 * d]),
    arm: { ...arm, phase: "run", last: "flat", c: corner + d, s: -s, t: column - (double ? 2 : 3) * s },
    toward: { axis: arm.axis, sign: -s },
  };
}

function rectOn(axis, along, across) {
  const [x, y] = axis === "x" ? [along, across] : [across, along];
  return { x: Math.min(...x), y: Math.min(...y), w: Math.abs(x[1] - x[0]), h: Math.abs(y[1] - y[0]) };
}

function otherAxis(axis) {
  return axis === "x" ? "y" : "x";
}

function laid(tile, arm, { rect, toward }) {
  const far = farPip(tile, arm.value);
  return { tile, ...rect, halves: toward.sign > 0 ? [arm.value, far] : [far, arm.value] };
}

function farPip(tile, near) {
  const [low, high] = pipsOf(tile);
  return low === near ? high : low;
}

// Views

/** Turns a vector by a multiple of 90 degrees, clockwise on the screen. */
export function rotated({ x, y }, rotation) {
  switch (((rotation % 360) + 360) % 360) {
    case 90:
      return { x: -y, y: x };
    case 180:
      return { x: -x, y: -y };
    case 270:
      return { x: y, y: -x };
    default:
      return { x, y };
  }
}

/**
 * The view {scale, x, y}, in which a lattice point appears at `x, y` + rotated point * `scale` (pixels), that shows `rects` (in steps) in the middle of a board of `w` x `h` pixels, no larger than
 * `largest`. Where something would lie under the pieces of the board that are `covered` (in pixels), all is moved aside.
 */
export function framed(rects, { w, h, covered = [] }, rotation, largest = LARGEST) {
  const bounds = boundsOf(rects);
  const views = framesBeside(covered, w, h)
    .map((frame) => centred(bounds, frame, rotation, largest))
    .sort((a, b) => b.scale - a.scale);
  const isClear = (view) =>
    !rects.some((rect) => covered.some((piece) => overlap(onScreen(rect, { ...view, rotation }), piece)));
  return views.find(isClear) ?? views[0];
}

/** The whole board, and what is left of it when each covered piece is dodged sideways, or up or down, or not. */
function framesBeside(covered, w, h) {
  return covered.reduce(
    (frames, piece) => frames.flatMap((frame) => [frame, beside(frame, piece), aboveOrBelow(frame, piece)]),
    [{ left: 0, top: 0, right: w, bottom: h }],
  );
}

function beside(frame, { x, w }) {
  const isLeft = x + w / 2 < (frame.left + frame.right) / 2;
  return isLeft ? { ...frame, left: Math.max(frame.left, x + w) } : { ...frame, right: Math.min(frame.right, x) };
}

function aboveOrBelow(frame, { y, h }) {
  const isAbove = y + h / 2 < (frame.top + frame.bottom) / 2;
  return isAbove ? { ...frame, top: Math.max(frame.top, y + h) } : { ...frame, bottom: Math.min(frame.bottom, y) };
}

function centred(bounds, { left, top, right, bottom }, rotation, largest) {
  const across = acrossScreen(bounds, rotation);
  const down = acrossScreen(bounds, rotation + 90);
  const fitting = Math.min((right - left - 2 * MARGIN) / across, (bottom - top - 2 * MARGIN) / down);
  const scale = Math.max(1, Math.min(fitting, largest));
  const middle = rotated({ x: bounds.x + bounds.w / 2, y: bounds.y + bounds.h / 2 }, rotation);
  return { scale, x: (left + right) / 2 - middle.x * scale, y: (top + bottom) / 2 - middle.y * scale };
}

/** A rectangle of the lattice as it is seen, in pixels. */
export function onScreen({ x, y, w, h }, view) {
  const [a, b] = [rotated({ x, y }, view.rotation), rotated({ x: x + w, y: y + h }, view.rotation)];
  return {
    x: view.x + Math.min(a.x, b.x) * view.scale,
    y: view.y + Math.min(a.y, b.y) * view.scale,
    w: Math.abs(a.x - b.x) * view.scale,
    h: Math.abs(a.y - b.y) * view.scale,
  };
}

/** Whether two rectangles share a point. */
export function overlap(a, b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** Whether all of a rectangle is in a frame of that size. */
function isWithin({ x, y, w, h }, size) {
  return x >= 0 && y >= 0 && x + w <= size.w && y + h <= size.h;
}

function acrossScreen(bounds, rotation) {
  return rotation % 180 === 0 ? bounds.w : bounds.h;
}

const LABEL_GAP = 4; // pixels
const LABEL_RINGS = [0, 1, 2, 4]; // steps that it may be further away
const LABEL_STEP = 4;
const LABEL_EDGE = 7; // how far it keeps off the rows above and below the board, into which toasts may reach

/**
 * What moves a label of `w` x `h` pixels from the middle of `place`, as [x, y]: as it is `wanted`, or else to the nearest
 * spot beside it where it is seen whole and covers neither one of `tiles` nor what is `covered` on the board.
 */
export function besideTile(place, tiles, { view, size, covered }, { w, h }, wanted = null) {
  const tile = onScreen(place, view);
  const taken = [...tiles.map((other) => onScreen(other, view)), ...covered];
  const isFree = ([dx, dy]) => {
    const label = { x: tile.x + (tile.w - w) / 2 + dx, y: tile.y + (tile.h - h) / 2 + dy, w, h };
    const within = { ...label, y: label.y - LABEL_EDGE, h: h + 2 * LABEL_EDGE };
    return isWithin(within, size) && !taken.some((other) => overlap(other, label));
  };
  if (wanted && isFree(wanted)) return wanted;
  const shifts = shiftsAround((tile.w + w) / 2 + LABEL_GAP, (tile.h + h) / 2 + LABEL_GAP, view.scale);
  return shifts.find(isFree) ?? wanted ?? shifts[0];
}

/** Where a label may go that has to keep so far from the middle of a tile, sideways or else up or down; nearest first. */
function shiftsAround(sideways, upright, scale) {
  return LABEL_RINGS.map((away) => [sideways + away * scale, upright + away * scale])
    .flatMap(([x, y]) => [
      ...upTo(x).flatMap((dx) => [
        [dx, -y],
        [dx, y],
      ]),
      ...upTo(y).flatMap((dy) => [
        [-x, dy],
        [x, dy],
      ]),
    ])
    .sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
}

function upTo(most) {
  const steps = Math.ceil(most / LABEL_STEP);
  return Array.from({ length: 2 * steps + 1 }, (_, at) => (at - steps) * LABEL_STEP);
}

/** What moves a label that stands at a lattice point, as [x, y], so that it is not cut at the edge of the board. */
export function insideBoard(point, { view, size }, { w, h }) {
  const turned = rotated(point, view.rotation);
  const [left, top] = [view.x + turned.x * view.scale - w / 2, view.y + turned.y * view.scale - h / 2];
  const shifts = [uncut(left, w, size.w) - left, uncut(top, h, size.h) - top];
  const isInSight = Math.abs(shifts[0]) < w / 2 && Math.abs(shifts[1]) < h / 2;
  return isInSight ? shifts : [0, 0]; // what is out of sight stays there
}

function uncut(start, length, room) {
  return Math.max(2, Math.min(start, room - length - 2));
}
