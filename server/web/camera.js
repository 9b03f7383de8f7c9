/**
 * How the felt is looked at: scale, place and rotation, by hand or by itself. Nothing here can play a tile.
 *
 * The view that shows everything is computed in geometry.js.
 */

import { framed, LARGEST, onScreen, overlap, rotated } from "./geometry.js";

const ZOOM_STEP = 1.25;
const NEAREST = 60; // the limits by hand, in pixels a step
const FURTHEST = 5;
const PAN_STEP = 64;
const MOUSE_THRESHOLD = 4;
const TOUCH_THRESHOLD = 8;
/** What lies on the board. */
const COVERING = ".tools, .boneyard, .request, .positions:focus-within, .positions-shown .positions";
const WHEEL = 400; // pixels of the wheel for a factor of e
const WHEEL_PINCH = 100; // the same for a pinch on a trackpad, which comes as a wheel with Ctrl
const WHEEL_LINE = 16; // pixels
const WHEEL_REST = 160; // milliseconds after which the wheel has come to rest

/** How many pixels further an arrow looks. */
const PANS = {
  ArrowLeft: [PAN_STEP, 0],
  ArrowRight: [-PAN_STEP, 0],
  ArrowUp: [0, PAN_STEP],
  ArrowDown: [0, -PAN_STEP],
};

/** The keys of the board, each {keys, name, press}. */
export const BOARD_KEYS = [
  { keys: Object.keys(PANS), name: "pan", press: (camera, key) => camera.pan(...PANS[key]) },
  { keys: ["+", "="], name: "larger", press: (camera) => camera.zoomIn() },
  { keys: ["-"], name: "smaller", press: (camera) => camera.zoomOut() },
  { keys: ["0", "f", "F"], name: "fit", press: (camera) => camera.fit() },
  { keys: ["[", "]"], name: "rotate", press: (camera, key) => camera.rotate(key === "[" ? -90 : 90) },
];

/** The cameras of tables and records, of which one is looked at. */
export class Cameras {
  #newest = null;
  #life = new AbortController();

  /** `keptHere` remembers views {read(name), write(name, value)}; `onSettled` is that of `Camera`. */
  constructor(keptHere, onSettled) {
    Object.assign(this, { keptHere, onSettled });
  }

  /** The camera of the table or record of that code. */
  of(code) {
    if (this.#newest?.code === code) return this.#newest;
    const name = `camera.${code}`;
    const memory = { read: () => this.keptHere.read(name), write: (view) => this.keptHere.write(name, view) };
    this.#newest = Object.assign(new Camera(memory, this.onSettled), { code });
    return this.#newest;
  }

  /** Takes hold of the board that has come into the page. */
  attach(svg) {
    this.letGo();
    this.#life = new AbortController();
    this.#newest.attach(svg, this.#life.signal);
  }

  letGo() {
    this.#life.abort();
  }

  look(point) {
    this.#newest.centreOn(point);
  }

  /** Something lies on the board now that was not there, or no more. */
  lookBeside() {
    this.#newest?.lookBeside();
  }
}

/** The camera of one table. Its view survives moves, sheets, reconnects and reloads. */
export class Camera {
  #svg = null;
  #size = { w: 0, h: 0 };
  /** What lies on the board, where it was when all was framed last. */
  covered = [];
  #seen = [{ x: -2, y: -2, w: 4, h: 4 }];
  #tiles = [];
  #hasBegun = false; // whether a tile lies
  #pointers = new Map();
  #travelled = false;
  #frame = null;
  #resting = null;
  #hasArrived = false;

  /** `memory`: {read(), write(value)} of this table; `onSettled()` is called when a new view has been reached. */
  constructor(memory, onSettled) {
    this.memory = memory;
    this.onSettled = onSettled;
    const unseen = { mode: "auto", rotation: 0, turned: false, window: null, deal: null, scale: LARGEST, x: 0, y: 0 };
    this.view = { ...unseen, ...memory.read() };
  }

  /** Takes hold of the board: gestures, the wheel and its size, until `signal` is aborted. */
  attach(svg, signal) {
    this.#svg = svg;
    const listen = (name, handler, options = {}) => svg.addEventListener(name, handler, { ...options, signal });
    listen("pointerdown", (event) => this.#press(event));
    listen("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"])
      window.addEventListener(name, (event) => this.#release(event), { signal }); // beyond the board, too
    listen("wheel", (event) => this.#wheel(event), { passive: false });
    this.#hasArrived = false;
    this.#hold();
    const watcher = new ResizeObserver(() => this.#observed());
    watcher.observe(svg);
    signal.addEventListener("abort", () => watcher.disconnect());
    this.#resized();
  }

  /** At first the board is as large as the page has just been laid out; only from then on is a change a change. */
  #observed() {
    this.#resized();
    if (this.#hasArrived) return;
    this.#hasArrived = true;
    this.view.window = windowNow();
    this.#draw();
    this.#resting = setTimeout(() => this.#letGo());
  }

  /** Whether the last press has become a pan or pinch, and so is no tap. */
  get travelled() {
    return this.#travelled;
  }

  /**
   * Tells what lies in which deal, `tiles` and the `places` that come next; the view follows unless it was set by hand.
   *
   * It comes nearer only in a new deal and where tiles were taken back, so that it seldom changes.
   */
  follow(tiles, places, deal) {
    if (!tiles.length && !places.length) return;
    const isNew = this.view.deal !== deal;
    const isFresh = isNew || tiles.length < this.#tiles.length;
    this.#tiles = tiles.length ? tiles : places;
    this.#hasBegun = tiles.length > 0;
    this.#seen = [...tiles, ...places];
    this.view = { ...this.view, deal };
    if (isNew) this.#turn();
    if (this.#size.w && this.view.mode === "auto") this.#frameAll(isFresh ? LARGEST : this.view.scale);
  }

  /** The transform of the group that holds the chain. */
  get transform() {
    const { x, y, rotation, scale } = this.view;
    return `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) rotate(${rotation}deg) scale(${scale.toFixed(4)})`;
  }

  /** Where a lattice point is on the board, in pixels. */
  toScreen(point) {
    const turned = rotated(point, this.view.rotation);
    return { x: this.view.x + turned.x * this.view.scale, y: this.view.y + turned.y * this.view.scale };
  }

  /** The lattice point under a pixel of the board. */
  toLattice({ x, y }) {
    const turned = { x: (x - this.view.x) / this.view.scale, y: (y - this.view.y) / this.view.scale };
    return rotated(turned, 360 - this.view.rotation);
  }

  get size() {
    return this.#size;
  }

  zoomIn() {
    this.#byHand(zoomed(this.view, ZOOM_STEP, this.#middle()));
  }

  zoomOut() {
    this.#byHand(zoomed(this.view, 1 / ZOOM_STEP, this.#middle()));
  }

  /** Shows everything, and follows the play again. */
  fit() {
    this.view.mode = "auto";
    this.#frameAll(LARGEST);
    this.#settled();
  }

  /** Turns the chain by `degrees`, a multiple of 90, about the middle of the board. */
  rotate(degrees = 90) {
    const point = this.toLattice(this.#middle());
    this.view = { ...this.view, rotation: (this.view.rotation + degrees + 360) % 360, turned: true };
    this.#keep(point, LARGEST);
  }

  /** Brings a lattice point into the middle of the board. */
  centreOn(point) {
    this.#byHand(this.#centred(point));
  }

  /** Moves what is seen by so many pixels. */
  pan(x, y) {
    this.#byHand({ ...this.view, x: this.view.x + x, y: this.view.y + y });
  }

  /** Does what `key` means on the board; gives whether it means anything. */
  key(key) {
    const entry = BOARD_KEYS.find(({ keys }) => keys.includes(key));
    entry?.press(this, key);
    return entry !== undefined;
  }

  #press(event) {
    if (event.button) return;
    if (!this.#pointers.size) this.#travelled = false;
    const at = this.#at(event);
    this.#pointers.set(event.pointerId, { start: at, now: at, touch: event.pointerType !== "mouse" });
    if (this.#pointers.size === 2) this.#take();
  }

  #move(event) {
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) return;
    const before = this.#grip();
    pointer.now = this.#at(event);
    const distance = Math.hypot(pointer.now.x - pointer.start.x, pointer.now.y - pointer.start.y);
    if (!this.#travelled && distance >= (pointer.touch ? TOUCH_THRESHOLD : MOUSE_THRESHOLD)) {
      this.#take();
      this.#drag({ ...before, x: pointer.start.x, y: pointer.start.y });
    } else if (this.#travelled) this.#drag(before);
  }

  #release(event) {
    if (this.#pointers.delete(event.pointerId) && this.#travelled && !this.#pointers.size) this.#letGo();
  }

  /** From now on the gesture belongs to the camera and can be no tap any more. */
  #take() {
    this.#travelled = true;
    this.#hold();
    for (const id of this.#pointers.keys()) this.#svg.setPointerCapture(id);
  }

  /** The view changes from frame to frame now, and nothing but the transform of the group is written. */
  #hold() {
    clearTimeout(this.#resting);
    this.#svg.classList.add("held");
  }

  #letGo() {
    this.#svg.classList.remove("held");
    this.#settled();
  }

  /** Middle and spread of the pointers that are down. */
  #grip() {
    const points = [...this.#pointers.values()].map(({ now }) => now);
    const x = points.reduce((sum, point) => sum + point.x, 0) / points.length;
    const y = points.reduce((sum, point) => sum + point.y, 0) / points.length;
    const spread = points.length > 1 ? Math.hypot(points[0].x - points[1].x, points[0].y - points[1].y) : 1;
    return { x, y, spread };
  }

  #drag(before) {
    const now = this.#grip();
    const moved = { ...this.view, x: this.view.x + now.x - before.x, y: this.view.y + now.y - before.y };
    this.#show(zoomed(moved, now.spread / before.spread, now));
  }

  #show(view) {
    this.view = this.#kept(view);
    this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = null;
    const group = this.#svg?.querySelector(".camera");
    if (group) group.style.transform = this.transform;
  }

  #wheel(event) {
    event.preventDefault();
    const distance = event.deltaY * (event.deltaMode ? WHEEL_LINE : 1);
    this.#hold();
    this.#show(zoomed(this.view, Math.exp(-distance / (event.ctrlKey ? WHEEL_PINCH : WHEEL)), this.#at(event)));
    this.#resting = setTimeout(() => this.#pointers.size || this.#letGo(), WHEEL_REST);
  }

  #resized() {
    const { width, height } = this.#svg.getBoundingClientRect();
    if (!width || (width === this.#size.w && height === this.#size.h)) return;
    const point = this.toLattice(this.#middle());
    this.#size = { w: width, h: height };
    const before = this.view.window;
    const isSame = this.#hasBegun && this.#hasArrived && before?.w === innerWidth && before.h === innerHeight;
    if (!this.#hasBegun || !before || isTall(before) !== isTall(windowNow())) this.#turn();
    if (this.#hasArrived) this.view.window = windowNow();
    this.#keep(this.#hasArrived ? point : this.toLattice(this.#middle()), isSame ? this.view.scale : LARGEST);
  }

  /** Lets the chain lie along the board, unless it was turned by hand. A hand of more rows leaves it as it lies. */
  #turn() {
    if (this.#size.w && !this.view.turned) this.view.rotation = isTall(this.#size) ? 90 : 0;
  }

  /** Keeps `point` in the middle, or everything in the frame where the view was not set by hand. */
  #keep(point, largest) {
    if (this.view.mode === "auto") this.#frameAll(largest);
    else this.view = this.#kept(this.#centred(point));
    this.#settled();
  }

  /** Shows everything beside what lies on the board now, where the view was not set by hand. */
  lookBeside() {
    if (!this.#size.w || this.view.mode !== "auto") return;
    this.#frameAll(LARGEST);
    this.#settled();
  }

  #frameAll(largest) {
    this.covered = this.#covered();
    const size = { ...this.#size, covered: this.covered };
    this.view = { ...this.view, ...framed(this.#seen, size, this.view.rotation, largest) };
  }

  /** Where something lies on the board, in its pixels. */
  #covered() {
    if (!this.#svg) return [];
    const { left, top } = this.#svg.getBoundingClientRect();
    return [...this.#svg.closest("main").querySelectorAll(COVERING)]
      .map((node) => node.getBoundingClientRect())
      .map(({ x, y, width, height }) => ({ x: x - left, y: y - top, w: width, h: height }))
      .filter((piece) => overlap(piece, { x: 0, y: 0, ...this.#size }));
  }

  #byHand(view) {
    this.view = this.#kept(view);
    this.#settled();
  }

  /** `view` as set by hand, moved so far that a tile stays in the frame. */
  #kept(view) {
    return { ...holding(this.#tiles, view, this.#size), mode: "manual" };
  }

  /** The view with `point` in the middle of the board. */
  #centred(point) {
    const there = this.toScreen(point);
    const middle = this.#middle();
    return { ...this.view, x: this.view.x + middle.x - there.x, y: this.view.y + middle.y - there.y };
  }

  #settled() {
    this.memory.write(this.view);
    this.onSettled();
  }

  #middle() {
    return { x: this.#size.w / 2, y: this.#size.h / 2 };
  }

  #at(event) {
    const { left, top } = this.#svg.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }
}

const windowNow = () => ({ w: innerWidth, h: innerHeight });
const isTall = ({ w, h }) => h > w;

/** `view` scaled by `factor` so that the point `at` of the screen stays where it is. */
export function zoomed(view, factor, at) {
  const scale = Math.min(NEAREST, Math.max(FURTHEST, view.scale * factor));
  const change = scale / view.scale;
  return { ...view, scale, x: at.x + (view.x - at.x) * change, y: at.y + (view.y - at.y) * change };
}

/**
 * `view` moved as little as it takes to have one of `rects` (in steps) whole in a frame of `size`, or in its middle where
 * it is larger than the frame.
 */
export function holding(rects, view, size) {
  const shifts = rects.map((rect) => shiftInside(rect, view, size));
  const [least] = shifts.sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
  return least ? { ...view, x: view.x + least.x, y: view.y + least.y } : view;
}

function shiftInside(rect, view, size) {
  const seen = onScreen(rect, view);
  return { x: shiftAlong(seen.x, seen.w, size.w), y: shiftAlong(seen.y, seen.h, size.h) };
}

function shiftAlong(start, length, whole) {
  if (length > whole) return (whole - length) / 2 - start;
  return Math.max(0, -start) + Math.min(0, whole - start - length);
}
