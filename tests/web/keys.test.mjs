import assert from "node:assert/strict";
import { test } from "node:test";

import { BOARD_KEYS } from "../../server/web/camera.js";
import { HAND_KEYS } from "../../server/web/hand.js";
import { POSITION_KEYS } from "../../server/web/positions.js";
import { ALOUD_KEYS } from "../../server/web/sheets/aloud.js";
import { GAME_KEYS, press } from "../../server/web/sheets/keys.js";
import { setTexts, writtenEnds } from "../../server/web/texts.js";
import { end, played, playingRoom, seat } from "./rooms.mjs";
import { ENGLISH } from "./words.mjs";

setTexts("en", ENGLISH);

const ANYWHERE = [...GAME_KEYS, ...ALOUD_KEYS];

/** What a press does: the name of the act and what it was given. */
function done(event, room = playingRoom()) {
  const calls = [];
  const act = new Proxy({}, { get: (_, name) => (value) => calls.push([name, value]) });
  press({ shiftKey: false, ...event }, { room, runsOut: null }, act);
  return calls;
}

test("each key means one thing, and none of the board's means another at the table", () => {
  for (const area of [HAND_KEYS, POSITION_KEYS, BOARD_KEYS, ANYWHERE, [...BOARD_KEYS, ...ANYWHERE]]) {
    const all = area.flatMap(({ keys }) => keys);

    assert.deepEqual(
      all.filter((key, number) => all.indexOf(key) !== number),
      [],
    );
  }
});

test("commands go through the act of that name", () => {
  assert.deepEqual(done({ key: "h" }), [["command", "hint"]]);
  assert.deepEqual(done({ key: "u" }), [["command", "undo"]]);
  assert.deepEqual(done({ key: "U", shiftKey: true }), [["command", "redo"]]);
  assert.deepEqual(done({ key: "?", shiftKey: true }), [["open", "keys"]]);
  assert.deepEqual(done({ key: "x" }), []);
});

test("a letter counts the same with the caps lock, and in its place on a keyboard without Latin letters", () => {
  assert.deepEqual(done({ key: "H" }), [["command", "hint"]]);
  assert.deepEqual(done({ key: "р", code: "KeyH" }), [["command", "hint"]]);
  assert.deepEqual(done({ key: "Г", code: "KeyU", shiftKey: true }), [["command", "redo"]]);
});

test("one is ready by a key only where something waits", () => {
  const ready = (changes) => done({ key: "n" }, playingRoom(changes)).map(([name]) => name);
  const over = { phase: "deal_over" };

  assert.deepEqual(ready({}), []);
  assert.deepEqual(ready(over), ["ready"]);
  assert.deepEqual(ready({ ...over, seats: [seat(0, "Ann", { ready: true })] }), []);
  assert.deepEqual(ready({ ...over, you: { seats: [], shown: [], watching: true } }), []);
});

test("whose turn it is is read out with the time that is left, where time is given", () => {
  const room = playingRoom({ turn: { seat: 0, legal: [] } });
  const timed = { ...room, settings: { ...room.settings, turn_timer: 30 } };

  assert.equal(aloud("t", timed), "Your turn. · 30 seconds left");
});

const KNOCK = { action: { type: "knock" } };

/** What that key has read out in `room`. */
function aloud(key, room) {
  return done({ key }, room)
    .filter(([name]) => name === "say")
    .map(([, text]) => text)
    .join();
}

/** Ann has opened with 4-4, Bob has played 1-4 at A and Cy 4-6 at B: 10 to 14 for Ann and Cy. */
function spokenRoom(changes = {}) {
  const room = playingRoom({ scores: [14, 3], ends: [end("left", 1), end("right", 6)], turn: { seat: 3 } });
  const acts = [
    played(0, "4-4", null, { scores: [10, 3] }),
    played(1, "1-4", "left", { scores: [10, 3] }),
    played(2, "4-6", "right", { scores: [14, 3], points: 4, total: 7, ends: room.deal.layout.ends }),
  ];
  const layout = { ...room.deal.layout, total: 7 };
  return { ...room, deal: { ...room.deal, layout, events: [...room.deal.events, ...acts] }, ...changes };
}

test("the last move is read out with what it was worth", () => {
  assert.equal(aloud("l", spokenRoom()), "Cy played 4-6 at end B. Ends 1 and 6, total 7, 4 points: 10 to 14.");
  assert.equal(aloud("l", playingRoom()), "No moves yet.");
});

test("ends, turn, hand, scores and chain are read out", () => {
  const room = spokenRoom();

  assert.equal(aloud("e", room), "Ends A 1 and B 6, total 7.");
  assert.equal(aloud("t", room), "Di to play");
  assert.equal(aloud("t", spokenRoom({ turn: { seat: 0, legal: [] } })), "Your turn.");
  assert.equal(
    aloud("t", spokenRoom({ turn: { seat: 0, legal: [KNOCK] } })),
    "Your turn. Nothing of yours fits: knock",
  );
  assert.equal(aloud("p", room), "2 tiles: 1-4 and double 4.");
  assert.equal(aloud("g", room), "You and Cy: 14, 47 to go. Bob and Di: 3, 58 to go.");
  assert.equal(aloud("c", room), "From A to B: 1-4, double 4, 4-6.");
});

test("the ends that are read out add up to the total", () => {
  const ends = [end("left", 3), end("right", 6, 12), end("up", 5, 0)];
  const layout = { ends, total: 15, spinner: "5-5" };
  const room = { ...spokenRoom(), deal: { ...spokenRoom().deal, layout } };
  const block = { ...room, settings: { ...room.settings, game: "block" } };

  assert.equal(aloud("e", room), "Ends A 3, B double 6, and C 5 outside the total, total 15.");
  assert.equal(writtenEnds(room), "A 3 · B 6+6 · C (5)");
  assert.equal(writtenEnds(block), "A 3 · B 6 · C 5");
});

test("a covered hand is not read out", () => {
  const room = spokenRoom({ you: { seats: [0, 2], shown: [], watching: false } });

  assert.equal(aloud("p", room), "No hand is shown.");
});

test("the arms of a spinner are read out after the line", () => {
  const room = spokenRoom();
  const up = played(3, "2-4", "up", { scores: [14, 3] });
  const events = [...room.deal.events, up];

  assert.equal(aloud("c", { ...room, deal: { ...room.deal, events } }), "From A to B: 1-4, double 4, 4-6. End C: 2-4.");
});
