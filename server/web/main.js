/** Puts the page together: state, client, screens, and what people can do. */

import { Camera } from "./camera.js";
import { Client, NO_TABLE } from "./client.js";
import { h, render } from "./keyed.js";
import { invited, lobby, unknownTable } from "./lobby.js";
import { Announcer, banner, toast, toasts } from "./notices.js";
import { sprite } from "./pictures.js";
import { sheet } from "./sheets.js";
import { isOwnTurn, Store } from "./state.js";
import { table } from "./table.js";
import { setTexts, t } from "./texts.js";
import { endsFor, KNOCK, offersOf, SENDING, step } from "./turn.js";

const CODE = /^[2-9A-HJ-NP-Z]{6}$/;
const REFUSAL_FOR = 4000; // milliseconds
const DEFAULT_FORM = {
  game: "fives-threes",
  seats: 4,
  lead: "lot",
  fill: "bots",
  bot: "club",
  public: false,
  spectators: true,
};

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

/** What this browser adds to the seed of the next match, so that the server alone does not choose the deals. */
function entropy() {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Values under names that outlast the page, or only this visit where the browser keeps nothing. */
function memory(place) {
  const here = new Map();
  return {
    read(name) {
      try {
        return JSON.parse(place().getItem(`doublesix.${name}`)) ?? here.get(name) ?? null;
      } catch {
        return here.get(name) ?? null;
      }
    },
    write(name, value) {
      here.set(name, value);
      try {
        place().setItem(`doublesix.${name}`, JSON.stringify(value));
      } catch {
        // Storage is blocked or full: the value lasts for this visit.
      }
    },
  };
}

// What people do: the screens call these by name

const act = {
  go(path) {
    const url = new URL(path, location.href);
    if (still) url.searchParams.set("anim", "0");
    history.pushState(null, "", url);
    arrive();
  },
  setName(name) {
    kept.write("name", name);
    store.change(({ me }) => ({ me: { ...me, name }, nameProblem: null }));
  },
  setForm(changes) {
    const form = { ...store.state.form, ...changes };
    if (form.lead >= form.seats) form.lead = "lot";
    kept.write("form", form);
    store.change({ form });
  },
  async create() {
    const { form, solo } = store.state;
    if (!isNamed()) return;
    const { seats, game, lead, bot, fill, spectators } = form;
    const settings = { game, seats, lead, bot, ...(solo ? {} : { fill, spectators, public: form.public }) };
    const answer = await client.ask({ type: "create", settings });
    if (answer && solo) await client.ask({ type: "start", room: answer.room, entropy: entropy() });
    if (answer) act.go(`/t/${answer.room}`);
  },
  async quick() {
    if (!isNamed()) return;
    const { game, seats } = store.state.form;
    const answer = await client.ask({ type: "quick", game, seats });
    if (answer) act.go(`/t/${answer.room}`);
  },
  joinCode(typed) {
    const code = typed.replace(/\s/g, "").toUpperCase();
    store.change({ codeWrong: !CODE.test(code) });
    if (CODE.test(code) && isNamed()) act.go(`/t/${code}`);
  },
  sit: (seat) => isNamed() && client.sit(seat),
  watch: () => client.watch(),
  async leave() {
    await client.leave();
    act.go("/");
  },
  start: () => client.askRoom("start", { entropy: entropy() }),
  async ready() {
    if (await client.askRoom("next", { entropy: entropy() })) client.closeSheets(["result", "match"]);
  },
  addBot: (seat) => client.askRoom("add_bot", { seat, level: store.state.room.settings.bot }),
  remove: (seat) => client.askRoom("remove", { seat }),
  swapFrom: (seat) => store.change({ swapping: seat }),
  swapTo(seat) {
    client.askRoom("swap", { seats: [store.state.swapping, seat] });
    store.change({ swapping: null });
  },
  react(key) {
    client.closeSheets(["reactions"]);
    client.askRoom("react", { key });
  },
  choose,
  lift: (tile) => choose({ type: "lift", tile }),
  drop: (end) => choose(end ? { type: "end", end } : { type: "cancel" }),
  mayDrag: () => store.state.room?.phase === "playing" && store.state.choice.state !== SENDING,
  look: (point) => camera.centreOn(point),
  attachBoard,
  open: (name) => store.change({ sheet: name }),
  closeSheet: () => store.change({ sheet: null }),
  retry: () => client.socket.retry(),
  useHere: () => client.socket.open(),
  async copy(text) {
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (copied) toast(store, t("copied"));
    else region("invite-link")?.select();
  },
  share: (url) => navigator.share({ title: t("brand"), url }).catch(() => {}), // closed without sharing
  focusHand: () => document.querySelector('.hand-tile[tabindex="0"]')?.focus(),
  focusPositions: () => document.querySelector(".positions input:checked, .positions input")?.focus(),
};

/** Whether the person has said a name; connects under it if so. */
function isNamed() {
  const named = store.state.me.name.trim() !== "";
  store.change({ nameProblem: named ? null : "name.missing" });
  if (named) client.connect();
  else region("name")?.focus();
  return named;
}

/** Makes one step towards an action, and sends it when it is confirmed. */
function choose(input) {
  const { room, choice } = store.state;
  if (!room?.deal || (["confirm", "preview"].includes(input.type) && !client.online)) return;
  const offers = offersOf(room);
  if (["tile", "lift"].includes(input.type) && !endsFor(offers, input.tile).length) refuse(input.tile, offers);
  else store.change({ refusal: null });
  const next = step(choice, input, offers, performance.now());
  store.change({ choice: next });
  if (next.state === SENDING && choice.state !== SENDING) send(next.action);
}

async function send(action) {
  const { room, seq } = store.state.room;
  focusBeside(action.tile);
  const answer = await client.ask({ type: "act", room, seq, action });
  if (!answer) choose({ type: "refused" });
}

/** The button that was pressed and the tile that was played are about to go, so the focus goes to the next tile. */
function focusBeside(tile) {
  const node = document.querySelector(`[data-tile="${tile}"]`);
  const neighbour = node?.nextElementSibling ?? node?.previousElementSibling;
  if (neighbour) neighbour.focus();
  else act.focusHand();
}

let forgetting = null;

/** Says why a tile cannot be chosen. */
function refuse(tile, offers) {
  const text = t(`refusal.${whyNot(offers)}`, { tile });
  announcer.warn(text);
  clearTimeout(forgetting);
  store.change({ refusal: text });
  forgetting = setTimeout(() => store.change({ refusal: null }), REFUSAL_FOR);
  const shake = ["none", "translateX(-4px)", "translateX(4px)", "none"].map((transform) => ({ transform }));
  if (motion) document.querySelector(`[data-tile="${tile}"]`)?.animate(shake, { duration: 160 });
}

function whyNot(offers) {
  if (!offers.mine) return "fits_no_end_now";
  if (offers.knock) return "knock";
  if (offers.draw) return "draw";
  const last = store.state.room.deal.events.at(-1);
  return last?.type === "drew" && offers.plays.every(({ tile }) => tile === last.tile) ? "drawn" : "fits_nowhere";
}

/** Keys of the game area. */
const KEYS = {
  d: () => choose({ type: "draw" }),
  k: () => store.state.choice.state === KNOCK && choose({ type: "confirm" }),
  s: () => act.open("scores"),
  r: () => act.open("rules"),
  n: () => store.state.room.phase !== "playing" && act.ready(),
};

function keyPressed({ target, key, ctrlKey, metaKey, altKey }) {
  if (store.state.sheet || !store.state.room || ctrlKey || metaKey || altKey) return;
  if (key === "Escape") choose({ type: "cancel" });
  else if (target.closest?.(".table-page") && !target.matches("input[type=text]")) KEYS[key.toLowerCase()]?.();
}

/** Motion never holds anybody up: a press brings all of it to its end. */
function endMotion() {
  for (const animation of document.getAnimations())
    if (!animation.effect.target.closest(".countdown, .endless")) animation.finish();
}

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

// The screen

let homeScreens = null; // loaded when they are wanted: a table does without them

async function loadHome() {
  homeScreens ??= await import("./home.js");
  store.change({});
}

function screen(state) {
  if (!state.code) return homeScreens ? homeScreens[state.path === "/new" ? "setup" : "home"](state, act) : loading();
  if (state.refusedCode) return unknownTable(state, act);
  if (!state.room) return state.invited ? invited(state, act) : loading();
  return state.room.phase === "lobby" ? lobby(state, act) : table(sceneOf(state), act);
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
  const open = state.room && state.sheet ? sheet(sceneOf(state), state.sheet, act) : null;
  render(app, [sprite(), banner(state.link, act), screen(state), toasts(state.toasts, dismiss), open].filter(Boolean));
  document.title = state.room && isOwnTurn(state.room) ? t("title.your_turn") : t("brand");
}

function dismiss(id) {
  store.change(({ toasts: list }) => ({ toasts: list.filter((other) => other.id !== id) }));
}

/** Takes up the address as it is now. */
function arrive() {
  const code = location.pathname.match(/^\/t\/([^/]+)\/?$/)?.[1].toUpperCase() ?? null;
  const stays = code !== null && store.state.room?.room === code;
  const solo = new URLSearchParams(location.search).has("computers");
  if (!stays && store.state.room) client.depart();
  store.change({ path: location.pathname, solo, code, ...(stays ? {} : NO_TABLE) });
  if (!stays) boardLife.abort();
  if (!code) loadHome();
  else if (!stays) client.arrive();
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

function listen() {
  document.documentElement.classList.toggle("still", still);
  document.addEventListener("keydown", keyPressed);
  document.addEventListener("pointerdown", endMotion);
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
