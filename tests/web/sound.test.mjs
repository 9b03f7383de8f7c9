import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { notesFor, Sounds } from "../../server/web/sound.js";

const LOUD = {
  sounds: true,
  soundTiles: true,
  soundScores: true,
  soundTurn: true,
  soundReactions: true,
  volume: 1,
  vibration: true,
};
const PLAYED = { type: "played", points: 3 };
const TOLD = [PLAYED, { type: "drew" }, { type: "knocked" }, { type: "deal_ended" }, { type: "reacted" }];

/** What is heard of all that can be heard, as the number of notes by type of event. */
function heard(settings) {
  const events = [...TOLD, { type: "own_turn" }];
  return Object.fromEntries(events.map((event) => [event.type, notesFor(event, { ...LOUD, ...settings }).length]));
}

test("a score climbs one step for each point, eight at most", () => {
  const silent = { ...LOUD, soundTiles: false };
  const steps = [0, 1, 5, 8, 9, 20].map((points) => notesFor({ ...PLAYED, points }, silent).length);

  assert.deepEqual(steps, [0, 1, 5, 8, 8, 8]);
});

test("each kind of sound can be silenced by itself, and all of them at once", () => {
  const all = heard({});
  assert.ok(Object.values(all).every((notes) => notes > 0));

  assert.deepEqual(heard({ sounds: false }), Object.fromEntries(Object.keys(all).map((type) => [type, 0])));
  assert.deepEqual(heard({ soundTiles: false }), { ...all, played: 3, drew: 0, knocked: 0 });
  assert.deepEqual(heard({ soundScores: false }), { ...all, played: all.played - 3, deal_ended: 0 });
  assert.deepEqual(heard({ soundTurn: false }), { ...all, own_turn: 0 });
  assert.deepEqual(heard({ soundReactions: false }), { ...all, reacted: 0 });
});

test("what has no sound of its own is silent", () => {
  assert.deepEqual(notesFor({ type: "seated" }, LOUD), []);
});

// The device

let contexts = [];
let shakes = [];

class SilentContext {
  currentTime = 0;
  sampleRate = 8000;
  state = "suspended";
  sources = [];
  loudest = [];

  constructor() {
    contexts.push(this);
  }

  async resume() {
    this.state = "running";
  }

  #node() {
    const ramp = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { frequency: ramp, connect: (next) => next };
  }

  createOscillator() {
    const source = { ...this.#node(), start() {}, stop() {} };
    this.sources.push(source);
    return source;
  }

  createBufferSource() {
    return this.createOscillator();
  }

  createBiquadFilter() {
    return this.#node();
  }

  createGain() {
    const tops = this.loudest;
    const gain = { setValueAtTime() {}, exponentialRampToValueAtTime: (value) => tops.push(value) };
    return { ...this.#node(), gain };
  }

  createDynamicsCompressor() {
    return { ...this.#node(), threshold: {}, knee: {}, ratio: {}, attack: {}, release: {} };
  }

  createBuffer(channels, length) {
    return { getChannelData: () => new Float32Array(length) };
  }
}

beforeEach(() => {
  contexts = [];
  shakes = [];
  globalThis.AudioContext = SilentContext;
  Object.defineProperty(globalThis, "navigator", {
    value: { vibrate: (shake) => shakes.push(shake) },
    configurable: true,
  });
});

test("nothing sounds before the first press", () => {
  const sounds = new Sounds();

  sounds.tell(PLAYED, LOUD);

  assert.deepEqual(contexts, []);
});

test("after a press each note of an event is played", async () => {
  const sounds = new Sounds();

  await sounds.wake();
  sounds.tell(PLAYED, LOUD);

  assert.equal(contexts.length, 1);
  assert.equal(contexts[0].sources.length, notesFor(PLAYED, LOUD).length);
});

test("a context that the device has suspended or interrupted goes on at the next press", async () => {
  const sounds = new Sounds();
  await sounds.wake();

  contexts[0].state = "interrupted";
  sounds.tell(PLAYED, LOUD);
  assert.equal(contexts[0].sources.length, 0);
  await sounds.wake();
  sounds.tell({ type: "knocked" }, LOUD);

  assert.equal(contexts.length, 1);
  assert.notEqual(contexts[0].sources.length, 0);
});

test("the volume makes every note softer", async () => {
  const sounds = new Sounds();
  await sounds.wake();

  sounds.tell({ type: "reacted" }, LOUD);
  sounds.tell({ type: "reacted" }, { ...LOUD, volume: 0.5 });

  const [loud, , soft] = contexts[0].loudest;
  assert.ok(soft < loud && soft > 0.001);
});

test("the device shakes when it is one's turn, unless it is not to", () => {
  const sounds = new Sounds();

  sounds.tell({ type: "own_turn" }, LOUD);
  sounds.tell({ type: "own_turn" }, { ...LOUD, vibration: false });
  sounds.tell(PLAYED, LOUD);

  assert.equal(shakes.length, 1);
});
