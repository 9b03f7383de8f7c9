/** What a person does with a replay: load it, go from stop to stop, let it play, choose whose eyes to look with. */

import { sharesOf } from "../acts.js";
import { toast } from "../notices.js";
import { Cut, Refused } from "../socket.js";
import { TAKE_BACKS } from "../state.js";
import { dealEndSentence, sentence, t } from "../texts.js";
import { courseOf, dealFrom, placeOf } from "./course.js";
import { fetchRecord } from "./fetch.js";
import { fileName, prove } from "./proof.js";

export const SPEEDS = [0.5, 1, 2, 4];
const TOLD = new Set(["deal_started", "played", "drew", "knocked", "deal_ended", "match_ended"]);
const STEP_TIME = 1400; // milliseconds at the speed 1

/** Of the screen that is shown: what it listens to, and the next step where it plays. */
let life = new AbortController();
let timer = null;

/** Fetches the record of `page.id` and shows it, from the stop that the address names. */
export async function load(page) {
  const { id, store, kept } = page;
  const change = (changes) => store.change(({ replay }) => ({ replay: { ...replay, id, ...changes } }));
  const onStatus = (status) => status === "lost" && change({ status: "no_line" });
  change({ status: "loading", stops: null });
  try {
    const name = store.state.me.name.trim() || t("guest");
    const record = await fetchRecord(id, { kept, name, onStatus });
    const stops = courseOf(record);
    const at = placeOf(stops, namedInAddress()) ?? 0;
    change({ record, stops, at, eye: null, speed: 1, playing: false, fresh: [], proof: null });
    change({ proof: await prove(record, sharesOf(kept)) });
  } catch (error) {
    if (error instanceof Cut) return;
    if (!(error instanceof Refused)) throw error;
    change({ status: error.reason === "no_record" ? "unknown" : "failed" });
  }
}

function namedInAddress() {
  return location.hash.slice(1) || "0";
}

/** What happened at a stop, in sentences. */
export function statusOf({ kind, before, room, events }) {
  if (TAKE_BACKS.has(kind)) return t(`replay.${kind}`);
  const told = events.filter(({ type }) => TOLD.has(type)).map((event) => said(event, room, before));
  return told.join(" ");
}

function said(event, room, before) {
  if (event.type === "deal_ended")
    return t("say.deal_ended", { number: room.deal.number, how: dealEndSentence(event, room) });
  const { tile, ...open } = event;
  return sentence(event.type === "drew" ? open : event, room, before); // what was drawn is seen in the hand, or not
}

/** What the buttons, keys and choices of the screen do. `page`: {id, store, act, announcer}. */
export function playerOf(page) {
  const { id, store, act } = page;
  const { change, goTo, playOn, pause } = courseActs(page);
  const shown = () => store.state.replay;
  const byHand = (place) => {
    pause();
    goTo(place(shown()));
  };
  const steer = {
    goTo: (place) => byHand(() => place),
    back: () => byHand(({ at }) => at - 1),
    on: () => byHand(({ at }) => at + 1),
    dealBack: () => byHand(({ stops, at }) => dealFrom(stops, at, -1)),
    dealOn: () => byHand(({ stops, at }) => dealFrom(stops, at, 1)),
    pause,
    play() {
      if (shown().at === shown().stops.length - 1) goTo(0);
      change({ playing: true });
      playOn();
    },
    toggle: () => (shown().playing ? pause() : steer.play()),
    setSpeed(speed) {
      change({ speed });
      if (shown().playing) playOn();
    },
    /** Shows the hand of that seat alone, or with null all hands. */
    look: (eye) => change({ eye }),
    copyLink() {
      // Every step puts its link into the address line, so it is there where nothing can be copied.
      if (navigator.clipboard) act.copy(`${location.origin}/r/${id}#${shown().stops[shown().at].name}`);
      else toast(store, t("replay.link_in_address"));
    },
    save: () => save(shown().record),
    listen() {
      life = new AbortController();
      const { signal } = life;
      document.addEventListener("keydown", (event) => keyPressed(event, steer), { signal });
      const follow = () => goTo(placeOf(shown().stops, namedInAddress()) ?? shown().at);
      window.addEventListener("hashchange", follow, { signal });
      follow(); // the address may name another stop than the one that was left
    },
    leave() {
      life.abort();
      pause();
    },
  };
  return steer;
}

/** Going from stop to stop, by hand or by itself. */
function courseActs({ store, announcer }) {
  const shown = () => store.state.replay;
  const change = (changes) => store.change(({ replay }) => ({ replay: { ...replay, ...changes } }));

  function goTo(place) {
    const { stops, at, playing } = shown();
    const next = Math.min(Math.max(place, 0), stops.length - 1);
    if (next === at) return;
    const [{ type, tile, seat }] = stops[next].events;
    const isFresh = next === at + 1 && type === "played";
    change({ at: next, fresh: isFresh ? [{ tile, seat, delay: 0, since: performance.now() }] : [] });
    history.replaceState(history.state, "", `#${stops[next].name}`);
    if (!playing) announcer.say(statusOf(stops[next]));
  }

  function playOn() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      goTo(shown().at + 1);
      if (shown().at < shown().stops.length - 1) playOn();
      else change({ playing: false });
    }, STEP_TIME / shown().speed);
  }

  function pause() {
    clearTimeout(timer);
    if (shown()?.playing) change({ playing: false });
  }

  return { change, goTo, playOn, pause };
}

/** Arrows step and go from deal to deal, wherever the focus is but on the board and on choices, which need them. */
function keyPressed(event, steer) {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || target.closest?.("select, .board, dialog, .moves ol")) return;
  const isButton = target.closest?.("button, a, summary");
  const press = {
    ArrowLeft: steer.back,
    ArrowRight: steer.on,
    ArrowUp: steer.dealBack,
    ArrowDown: steer.dealOn,
    Home: () => steer.goTo(0),
    End: () => steer.goTo(Infinity),
    " ": isButton ? null : steer.toggle,
  }[key];
  if (!press) return;
  event.preventDefault();
  press();
}

/** Lets the person keep the record as a file, for `doublesix verify`. */
function save(record) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(record)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: fileName(record) }).click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
