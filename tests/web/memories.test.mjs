import assert from "node:assert/strict";
import { test } from "node:test";

import { linesAfter, NO_MEMORIES, reduce, remembered } from "../../server/web/fold.js";
import { scoreBefore } from "../../server/web/state.js";
import { dealEnded, played, playingRoom, update } from "./rooms.mjs";

const [A, B, C, D] = [
  played(0, "1-4", null),
  { type: "knocked", seat: 1 },
  played(2, "4-4", "right"),
  played(0, "0-1", "left"),
];

/** Lines in short: the acts, those that were taken back in brackets. */
function short(lines) {
  const names = new Map([A, B, C, D].map((event, number) => [event, "ABCD"[number]]));
  return lines.map(({ event, struck }) => (struck !== null ? `(${names.get(event)})` : names.get(event))).join("");
}

/** The lines after acts came one by one, and after each list of acts that a snapshot brought. */
function seen(...happened) {
  return happened.reduce((lines, { acts, isSnapshot }, seq) => linesAfter(lines, acts, seq, isSnapshot), []);
}

const told = (...acts) => ({ acts, isSnapshot: false });
const shown = (...acts) => ({ acts, isSnapshot: true });

test("acts stand in their order", () => {
  assert.equal(short(seen(shown(A, B), told(A, B, C))), "ABC");
});

test("what was taken back stays, struck", () => {
  assert.equal(short(seen(told(A, B, C), shown(A))), "A(B)(C)");
});

test("what was brought back is struck no more", () => {
  assert.equal(short(seen(told(A, B, C), shown(A), shown(A, B, C))), "ABC");
  assert.equal(short(seen(told(A, B, C), shown(A), shown(A, B))), "AB(C)");
});

test("what is done instead stands after what was taken back, and the same act again is a new one", () => {
  assert.equal(short(seen(told(A, B, C), shown(A), told(A, D))), "A(B)(C)D");
  assert.equal(short(seen(told(A, B), shown(A), told(A, B))), "A(B)B");
});

test("a second take-back goes behind the first, and is brought back without it", () => {
  const twice = [told(A, B, C), shown(A, B), told(A, B, D), shown(A)];

  assert.equal(short(seen(...twice)), "A(B)(C)(D)");
  assert.equal(short(seen(...twice, shown(A, B, D))), "AB(C)D");
});

test("a tile that was drawn and is in the boneyard again is not told", () => {
  const drew = { type: "drew", seat: 0, stock: 7, tile: "0-5" };

  const lines = seen(told(A, drew), shown(A));

  assert.equal(lines[1].event.type, "drew");
  assert.ok(!JSON.stringify(lines).includes("0-5"));
});

test("another deal begins with no lines", () => {
  const room = playingRoom();
  const before = { ...NO_MEMORIES, room, lines: [{ event: A, seq: 3, struck: null }] };
  const next = { ...room, deal: { ...room.deal, number: 2 } };

  assert.deepEqual(remembered(before, next, false).lines, []);
});

/** What the page holds after these events. */
function afterEvents(state, ...events) {
  const room = reduce(state.room, update(state.room, events), "p-Ann");
  return { ...state, ...remembered(state, room, false), room };
}

test("the first deal of another match begins with no lines and no results", () => {
  const room = playingRoom();
  const before = { room, lines: [{ event: A, seq: 11, struck: null }], results: { 1: room } };
  const next = playingRoom({ commitment: "c2", next_commitment: "c3" });

  const { lines, results } = remembered(before, next, false, 0);

  assert.deepEqual([lines, results], [[], {}]);
});

test("the result of a deal is kept as it was, with those who sat there", () => {
  const playing = { ...NO_MEMORIES, room: playingRoom() };
  const over = afterEvents(playing, dealEnded());

  const later = afterEvents(over, { type: "seated", seat: 1, player: null, bot: "club", name: "Computer" });
  const started = { type: "deal_started", number: 2, lead: 1, tiles: [5, 5, 5, 5], stock: 8 };
  const next = afterEvents(later, started);

  assert.equal(next.results[1].seats[1].name, "Bob");
  assert.deepEqual(next.results[1].deal, over.room.deal);
  assert.deepEqual(Object.keys(next.results), ["1"]);
});

test("a result that was taken back is forgotten", () => {
  const room = playingRoom();
  const over = afterEvents({ ...NO_MEMORIES, room }, dealEnded());

  assert.deepEqual(remembered(over, room, true).results, {});
});

test("the results of one match are not those of the next", () => {
  const over = afterEvents({ ...NO_MEMORIES, room: playingRoom() }, dealEnded());

  const next = afterEvents(over, { type: "match_started", commitment: "c2", next_commitment: "c3" });

  assert.deepEqual(next.results, {});
});

const summary = (number, changes) => ({
  number,
  lead: 0,
  reason: "out",
  seat: 0,
  bonus: [0, 0],
  scored: [],
  ...changes,
});
const play = (seat, points, dropped = 0) => ({ seat, total: 0, points, dropped });

test("the score before the last gain is found in deals that are over", () => {
  const deals = [
    summary(1, { scores: [9, 4], bonus: [1, 0], scored: [play(0, 3), play(1, 4), play(2, 6)] }),
    summary(2, { scores: [9, 4], scored: [play(1, 0, 2)] }),
  ];
  const room = playingRoom({ deals, scores: [9, 4] });

  assert.deepEqual([scoreBefore(room, 0), scoreBefore(room, 1)], [3, 0]);
});

test("where hands count, what they gave was the last gain", () => {
  const deals = [summary(1, { scores: [30, 10], bonus: [20, 0], scored: [play(0, 10), play(1, 10)] })];
  const room = playingRoom({ deals, scores: [30, 10], settings: { game: "all-fives", seats: 4, target: 200 } });

  assert.deepEqual([scoreBefore(room, 0), scoreBefore(room, 1)], [10, 0]);
});
