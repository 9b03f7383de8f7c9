/** Puts the page together: state, client, screens, and what the page listens to. */

import { actsAt } from "./acts.js";
import { Camera } from "./camera.js";
import { Client, NO_TABLE } from "./client.js";
import { h, render } from "./keyed.js";
import { Announcer, banner, toasts } from "./notices.js";
import { sprite } from "./pictures.js";
import { isOwnTurn, memory, Store } from "./state.js";
import { table } from "./table.js";
import { setTexts, t } from "./texts.js";
import { offersOf } from "./turn.js";

const DEFAULT_FORM = {
  game: "fives-threes",
  seats: 4,
  lead: "lot",
  fill: "bots",
  bot: "club",
  public: false,
  spectators: true,
};

/** What the first sight of a table does without, by name; loaded when it is wanted, or when somebody is at the page. */
const PARTS = {
  home: () => import("./screens/home.js"),
  setup: () => import("./screens/setup.js"),
  lobby: () => import("./screens/lobby.js"),
  welcome: () => import("./screens/welcome.js"),
  sheets: () => import("./sheets/index.js"),
};
const WANTED_SOON = ["sheets"];

const still = new URLSearchParams(location.search).get("anim") === "0";
const motion = !still && !matchMedia("(prefers-reduced-motion: reduce)").matches;
const app = document.getElementById("app");
const kept = memory(() => localStorage);
const keptHere = memory(() => sessionStorage);

const store = new Store({
  ...NO_TABLE,
  path: location.pathname,
  solo: false,
  code: null,
  link: { status: "connecting", secondsLeft: null, shown: false, restarting: false, missed: null },
  me: { player: null, name: kept.read("name") ?? "", rooms: kept.read("rooms") ?? [] },
  fresh: null,
  refusal: null,
  reactions: {},
  toasts: [],
  form: { ...DEFAULT_FORM, ...kept.read("form") },
  nameProblem: null,
  codeWrong: false,
  looksLong: false,
});

const region = (name) => document.querySelector(`[data-testid="${name}"]`);
const announcer = new Announcer([region("live-0"), region("live-1")], region("alert"));
const client = new Client({ store, announcer, kept, keptHere, motion });
const act = actsAt({ store, client, announcer, kept, motion, go, look, attachBoard });

// The board

let camera = null;
let boardLife = new AbortController();

function cameraFor(code) {
  if (camera?.code === code) return camera;
  const name = `camera.${code}`;
  const views = { read: () => keptHere.read(name), write: (view) => keptHere.write(name, view) };
  camera = Object.assign(new Camera(views, () => store.change({})), { code });
  return camera;
}

function attachBoard(svg) {
  boardLife.abort();
  boardLife = new AbortController();
  camera.attach(svg, boardLife.signal);
}

function look(point) {
  camera.centreOn(point);
}

// The screen

const loaded = new Map();

/** The module of that part, or null until it has come; the page is drawn again then. */
function part(name) {
  if (!loaded.has(name)) {
    loaded.set(name, null);
    PARTS[name]().then(
      (module) => {
        loaded.set(name, module);
        store.change({});
      },
      () => loaded.delete(name), // without a line: wanted again, it is asked for again
    );
  }
  return loaded.get(name);
}

function screen(state) {
  const { name, draw } = screenOf(state);
  const module = part(name);
  return module ? draw(module) : loading();
}

/** Which screen stands at the address: the part that has it, and what draws it. */
function screenOf(state) {
  const { code, room, path } = state;
  if (!code && path === "/new") return { name: "setup", draw: ({ setup }) => setup(state, act) };
  if (!code) return { name: "home", draw: ({ home }) => home(state, act) };
  if (state.refusedCode) return { name: "welcome", draw: ({ unknownTable }) => unknownTable(state, act) };
  if (!room) return { name: "welcome", draw: ({ invited }) => (state.invited ? invited(state, act) : loading()) };
  return { name: "lobby", draw: ({ lobby }) => lobby(state, act) };
}

function loading() {
  return h("main", { class: "page loading", key: "loading" }, h("p", { role: "status" }, t("connecting")));
}

function sceneOf({ room, choice, fresh, reactions, refusal, link, me }) {
  return {
    room,
    choice,
    fresh,
    reactions,
    refusal,
    motion,
    name: me.name,
    link: link.status,
    online: client.online,
    offers: offersOf(room),
    camera: cameraFor(room.room),
  };
}

function draw() {
  const { state } = store;
  const isPlaying = state.room && state.room.phase !== "lobby" && !state.refusedCode;
  const shown = isPlaying ? table(sceneOf(state), act) : screen(state);
  render(
    app,
    [sprite(), banner(state.link, act), shown, toasts(state.toasts, dismiss), openSheet(state)].filter(Boolean),
  );
  document.title = state.room && isOwnTurn(state.room) ? t("title.your_turn") : t("brand");
}

function openSheet(state) {
  return state.room && state.sheet ? part("sheets")?.sheet(sceneOf(state), state.sheet, act) : null;
}

function dismiss(id) {
  store.change(({ toasts: list }) => ({ toasts: list.filter((other) => other.id !== id) }));
}

/** Draws once a frame, however much has changed. */
function drawOnChange() {
  let frame = null;
  store.onChange(() => {
    frame ??= requestAnimationFrame(() => {
      frame = null;
      draw();
    });
  });
}

// The address

function go(path) {
  const url = new URL(path, location.href);
  if (still) url.searchParams.set("anim", "0");
  history.pushState(null, "", url);
  arrive();
}

/** Takes up the address as it is now. */
function arrive() {
  const code = location.pathname.match(/^\/t\/([^/]+)\/?$/)?.[1].toUpperCase() ?? null;
  const stays = code !== null && store.state.room?.room === code;
  const solo = new URLSearchParams(location.search).has("computers");
  if (!stays && store.state.room) client.depart();
  store.change({ path: location.pathname, solo, code, ...(stays ? {} : NO_TABLE) });
  if (!stays) boardLife.abort();
  if (code && !stays) client.arrive();
}

// What the page listens to

/** Keys of the game area. */
const KEYS = {
  d: () => act.choose({ type: "draw" }),
  k: () => act.knock(),
  s: () => act.open("scores"),
  r: () => act.open("rules"),
  n: () => store.state.room.phase !== "playing" && act.ready(),
};

function keyPressed({ target, key, ctrlKey, metaKey, altKey }) {
  if (store.state.sheet || !store.state.room || ctrlKey || metaKey || altKey) return;
  if (key === "Escape") act.choose({ type: "cancel" });
  else if (target.closest?.(".table-page") && !target.matches("input[type=text]")) KEYS[key.toLowerCase()]?.();
}

/** Motion never holds anybody up: a press brings all of it to its end. */
function endMotion() {
  for (const animation of document.getAnimations())
    if (!animation.effect.target.closest(".countdown, .endless")) animation.finish();
}

/** Somebody is here: what they may open next is fetched, so that it opens at once, and without a line too. */
function fetchAhead() {
  for (const name of WANTED_SOON) part(name);
}

function listen() {
  document.documentElement.classList.toggle("still", still);
  document.addEventListener("keydown", keyPressed);
  document.addEventListener("pointerdown", endMotion);
  for (const press of ["pointerdown", "keydown"]) document.addEventListener(press, fetchAhead, { once: true });
  document.addEventListener("visibilitychange", () => document.hidden || client.socket.probe());
  window.addEventListener("pageshow", ({ persisted }) => persisted && client.socket.probe());
  window.addEventListener("online", () => client.socket.probe());
  window.addEventListener("popstate", arrive);
}

async function begin() {
  const catalogue = await fetch("/i18n/en.json");
  setTexts("en", await catalogue.json());
  app.textContent = "";
  listen();
  drawOnChange();
  arrive();
}

begin();
