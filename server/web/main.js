/** Puts the page together: state, client, screens, and what the page listens to. */

import { actsAt, DEFAULT_FORM, DEFAULT_SETTINGS, REFUGES } from "./acts.js";
import { Cameras } from "./camera.js";
import { Client } from "./client.js";
import { NO_TABLE } from "./fold.js";
import { endMotion, focusFirst, h, keepFocus, Parts, plainKey, render, shake, styled } from "./keyed.js";
import { Announcer, banner, titleOf, toast, toasts } from "./notices.js";
import { sprite } from "./pictures.js";
import { isCovered, memory, Store } from "./state.js";
import { table } from "./table.js";
import { fetchGuide, languageOf, t, useLanguage } from "./texts.js";
import { offersOf } from "./turn.js";

/** What the first sight of a table does without, by name; loaded when it is wanted, or when somebody is at the page. */
const PARTS = {
  home: () => withActs(styled(import("./screens/home.js"), "forms", "pages")),
  setup: () => withActs(styled(import("./screens/setup.js"), "forms", "pages")),
  lobby: () => withActs(styled(import("./screens/lobby.js"), "forms", "pages", "lobby")),
  welcome: () => styled(import("./screens/welcome.js"), "forms", "pages"),
  curtain: () => styled(import("./screens/curtain.js"), "curtain"),
  replay: () => styled(import("./screens/replay.js"), "pages", "results", "scores", "replay", "replay-modes"),
  sheets: () =>
    withGuide(styled(import("./sheets/index.js"), "forms", "results", "scores", "rules", "advice", "request")),
  settings: () => styled(import("./sheets/settings.js"), "forms"),
  positions: () => styled(import("./positions.js"), "positions"),
  clock: () => import("./clock.js"),
  diary: () => import("./diary.js"),
  sound: () => import("./sound.js").then(({ soundsFromThisPress }) => soundsFromThisPress(() => store.state.settings)),
};
const WANTED_SOON = ["positions", "sound", "sheets", "settings", "diary"];

/** Milliseconds out of sight after which a shared device shows no hand any more. */
const COVER_AFTER = 30_000;

const KNOCK = 200; // milliseconds that a seat shakes

/** What the address says for the whole visit, whatever page it goes on to. */
const VISIT = ["anim", "lang"];

const visit = new URLSearchParams(location.search);
const still = visit.get("anim") === "0";
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const narrow = matchMedia("(width < 43.75em), (height <= 36em)");
const app = document.getElementById("app");
const kept = memory(() => localStorage);
const keptHere = memory(() => sessionStorage);

const store = new Store({
  ...NO_TABLE,
  path: location.pathname,
  company: "friends",
  hall: null,
  muted: kept.read("muted") ?? [],
  code: null,
  record: null, // the id of the match that is looked at again
  replay: null,
  link: { status: "connecting", secondsLeft: null, shown: false, restarting: false, missed: null, isOld: false },
  me: { player: null, name: kept.read("name") ?? "", rooms: kept.read("rooms") ?? [] },
  fresh: [],
  near: null,
  refusal: null,
  toasts: [],
  form: { ...DEFAULT_FORM, ...kept.read("form") },
  settings: { ...DEFAULT_SETTINGS, ...kept.read("settings") },
  nameProblem: null,
  wish: null, // the seat that is taken once a name is said: {seat}
  formProblem: null,
  codeWrong: false,
  looksLong: false,
});

const region = (name) => document.querySelector(`[data-testid="${name}"]`);
const announcer = new Announcer([region("live-0"), region("live-1")], region("alert"));
const client = new Client({ store, announcer, kept, keptHere, moves, hear });
const cameras = new Cameras(keptHere, () => store.change({}));
const page = { store, client, announcer, kept, cameras, moves, go };
const act = actsAt(page);

// Settings

let applied = DEFAULT_SETTINGS;
let hasBegun = false;

/** Whether things may move. */
function moves() {
  return !still && !reduced.matches && store.state.settings.motion !== "reduced";
}

/** Lets be heard, and seen, what happens. */
function hear(event) {
  parts.come("sound")?.tell(event, store.state.settings);
  if (event.type === "knocked" && moves()) shake(`[data-seat="${event.seat}"]`, KNOCK);
}

/** Makes the page as the settings want it. */
function applySettings() {
  const { settings } = store.state;
  if (settings === applied) return;
  applied = settings;
  const looks = document.documentElement.classList;
  looks.toggle("calm", settings.motion === "reduced");
  looks.toggle("coloured-pips", settings.colouredPips);
  looks.toggle("numerals", settings.numerals);
  looks.toggle("positions-shown", settings.positions);
  globalThis.useTheme(settings.theme); // which the page has itself, to be in time
  if (hasBegun) tryToSpeak();
}

function tryToSpeak() {
  speak().catch(() => {
    toast(store, t("language.failed"));
    client.missesFiles();
  });
}

/** Says everything in `wanted`, or in the language that is wanted most, from now on. */
async function speak(wanted = wantedLanguage()) {
  if (!(await useLanguage(wanted))) return;
  document.documentElement.lang = wanted;
  store.change({ toasts: [], refusal: null }); // they are in the language of before
}

function wantedLanguage() {
  return languageOf([store.state.settings.language, visit.get("lang"), ...navigator.languages]);
}

// The screen

const parts = new Parts(PARTS, {
  onCome: () => store.change({}),
  onMissing: () => client.missesFiles(),
});
const part = (name) => parts.wanted(name);

/** Comes with the module of that part. */
function load(name) {
  return PARTS[name]();
}

let noted = null;
let isNew = false;

/** The module that comes, with what is done at its screen. */
async function withActs(module) {
  const come = await module;
  Object.assign(act, come.screenActs(page));
  return come;
}

/** The module that comes, once its long texts have come too. */
async function withGuide(module) {
  const [come] = await Promise.all([module, fetchGuide()]);
  return come;
}

function screen(state) {
  const wanted = screenOf(state);
  const module = wanted && part(wanted.name);
  return module ? wanted.draw(module) : loading(state);
}

/** Which screen stands at the address: the part that has it, and what draws it; null where that is not known yet. */
function screenOf(state) {
  const { code, room, path, record } = state;
  if (record) return { name: "replay", draw: ({ replay }) => replay(state, replayPage(state)) };
  if (!code && path === "/new") return { name: "setup", draw: ({ setup }) => setup(state, act) };
  if (!code && path !== "/") return { name: "welcome", draw: ({ unknown }) => unknown({ why: "no_such_page" }, act) };
  if (!code) return { name: "home", draw: ({ home }) => home(state, act) };
  if (state.refusedCode) return { name: "welcome", draw: ({ refused }) => refused(state, act) };
  if (state.invited && !room) return { name: "welcome", draw: ({ invited }) => invited(state, act) };
  return room && { name: "lobby", draw: ({ lobby }) => lobby(state, act) };
}

/** What a replay is looked at with; the table from which it was opened stays behind it. */
function replayPage({ record, room }) {
  return {
    id: record,
    table: room?.room ?? null,
    store,
    kept,
    announcer,
    act,
    camera: cameras.of(record),
    motion: moves(),
  };
}

/** Where the table, or the page, will be. */
function loading({ code, record }) {
  return h(
    "main",
    { class: `loading${code && !record ? " of-table" : ""}`, key: "loading" },
    h("p", { role: "status" }, t("connecting")),
  );
}

function tableScene(state) {
  const scene = sceneOf(state);
  return {
    ...scene,
    clock: state.room.settings.turn_timer && part("clock")?.clock(state),
    opener: state.choice.hint && part("sheets")?.adviceOpener(scene, act),
    positions: state.choice.tile && part("positions")?.positions(scene, act),
    curtain: isCovered(state.room) && part("curtain")?.curtain(scene, act),
    notices: [
      state.room.ask && part("sheets")?.request(scene, act),
      state.room.paused.length > 0 && part("sheets")?.readingChip(scene),
    ],
  };
}

/** What the table and its sheets are drawn from: the state, and what follows from it. */
function sceneOf(state) {
  const { room, me, link } = state;
  return {
    ...state,
    motion: moves(),
    narrow: narrow.matches,
    name: me.name,
    player: me.player,
    link: link.status,
    online: client.online,
    offers: offersOf(room),
    camera: cameras.of(room.room),
  };
}

function draw() {
  const { state } = store;
  const isPlaying = !state.record && state.room && state.room.phase !== "lobby" && !state.refusedCode;
  const shown = isPlaying ? table(tableScene(state), act) : screen(state);
  const all = [sprite(), banner(state.link, act), shown, toasts(state.toasts, dismiss), openSheet(state)];
  keepFocus(() => render(app, all.filter(Boolean)), REFUGES);
  keepDiary(state.room);
  const heading = app.querySelector("main h1");
  document.title = titleOf(state, isPlaying ? t("table.title", { code: state.room.room }) : heading?.textContent);
  if (!isNew || !heading) return;
  isNew = false;
  focusFirst(["main h1", ...REFUGES]);
}

/** What this browser has to remember of the room is kept as soon as somebody is at the page. */
function keepDiary(room) {
  const diary = parts.come("diary");
  if (!diary || !room || room === noted) return;
  noted = room;
  diary.note(kept, room, Date.now());
}

function openSheet(state) {
  if (state.sheet === "settings") return part("settings")?.settings(state, act) ?? null;
  return state.room && state.sheet && !state.record ? part("sheets")?.sheet(sceneOf(state), state.sheet, act) : null;
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
      applySettings();
      if (store.state.room) parts.come("sheets")?.followReading(store.state, client);
      parts.come("clock")?.followClock(store.state, announcer, () => store.change({}));
      draw();
    });
  });
}

// The address

function go(path) {
  const url = new URL(path, location.href);
  for (const name of VISIT) if (visit.has(name)) url.searchParams.set(name, visit.get(name));
  history.pushState(null, "", url);
  arrive();
}

/** Takes up the address as it is now. A screen after another is told by its heading, which gets the focus. */
function arrive() {
  isNew = app.firstChild !== null;
  const record = location.pathname.match(/^\/r\/([0-9a-f]{16})\/?$/)?.[1] ?? null;
  const named = location.pathname.match(/^\/t\/([2-9A-HJ-NP-Z]{6})\/?$/i)?.[1].toUpperCase() ?? null;
  const code = record ? store.state.code : named; // the table from which a replay is opened goes on behind it
  const stays = record !== null || (code !== null && store.state.room?.room === code);
  const query = new URLSearchParams(location.search);
  const company = ["computers", "device"].find((name) => query.has(name)) ?? "friends";
  if (!stays && store.state.room) client.depart();
  store.change({ path: location.pathname, company, code, record, formProblem: null, ...(stays ? {} : NO_TABLE) });
  if (location.pathname === "/") act.lookAround();
  else client.closeHall();
  if (!stays) cameras.letGo();
  if (code && !stays) client.arrive();
}

// What the page listens to

function keyPressed(event) {
  const { sheet, room, record, settings } = store.state;
  const key = plainKey(event);
  if (sheet || record || !room || key === null) return;
  if (key === "Escape") act.choose({ type: "cancel" });
  else if (settings.keys && !event.repeat && event.target.closest?.(".table-page")) pressAtTable(event);
}

/** Single keys count only while the focus is at the table. Without a line the part may not come: nothing happens. */
function pressAtTable(event) {
  load("sheets").then(
    ({ press }) => store.state.room && press(event, store.state, act),
    () => {},
  );
}

/** Somebody is here: what they may open next is fetched, so that it opens at once, and without a line too. */
function fetchAhead() {
  for (const name of WANTED_SOON) part(name);
}

let hiddenSince = null;
let covering = null;

/** Where several people share the device, the hand is put away when nobody has looked at the page for a while. */
function lookedAt() {
  clearTimeout(covering);
  if (document.hidden) {
    hiddenSince = Date.now();
    covering = setTimeout(coverHands, COVER_AFTER);
    return;
  }
  if (hiddenSince !== null && Date.now() - hiddenSince >= COVER_AFTER) coverHands();
  client.socket.probe();
}

/** Draws at once: a page that is not seen gets no frames, and shows the one before when it is seen again. */
function coverHands() {
  client.coverHands();
  draw();
}

function listen() {
  document.documentElement.classList.toggle("still", still);
  document.addEventListener("keydown", keyPressed);
  for (const press of ["pointerdown", "keydown"]) {
    document.addEventListener(press, endMotion);
    document.addEventListener(press, fetchAhead, { once: true });
  }
  document.addEventListener("visibilitychange", lookedAt);
  window.addEventListener("pageshow", ({ persisted }) => persisted && client.socket.probe());
  window.addEventListener("online", () => client.socket.probe());
  window.addEventListener("popstate", arrive);
  window.addEventListener("languagechange", tryToSpeak);
  narrow.addEventListener("change", () => {
    client.closeSheets(["more"]); // a wide screen has no use for it
    store.change({});
  });
}

async function begin() {
  applySettings();
  await speak().catch(() => speak("en"));
  hasBegun = true;
  app.textContent = "";
  listen();
  drawOnChange();
  arrive();
}

begin();
