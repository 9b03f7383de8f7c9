import assert from "node:assert/strict";
import { test } from "node:test";

import { actsAt } from "../../server/web/acts.js";
import { obstacleTo, Store } from "../../server/web/state.js";
import { actsAtStake, requestSentence } from "../../server/web/sheets/request.js";
import { setTexts } from "../../server/web/texts.js";
import { offersOf } from "../../server/web/turn.js";
import { play, played, playingRoom, seat, sharedRoom } from "./rooms.mjs";
import { ENGLISH } from "./words.mjs";

setTexts("en", ENGLISH);

const SETTINGS = { game: "fives-threes", seats: 4, target: 61, hints: true, undo: true };
const OWN = played(0, "1-4", null);
const OTHER = played(1, "4-6", "right");
const DREW = { type: "drew", seat: 2, stock: 7 };

/** Ann's table after these acts; the others are people, or computers where she is alone. */
function tableAfter(acts, { settings = {}, alone = false, ...changes } = {}) {
  const room = playingRoom({ settings: { ...SETTINGS, ...settings }, ...changes });
  const seats = alone ? [room.seats[0], ...[1, 2, 3].map((number) => computer(number))] : room.seats;
  return { ...room, seats, deal: { ...room.deal, events: [...room.deal.events, ...acts] } };
}

function computer(number) {
  return seat(number, "Computer", { player: null, bot: "club" });
}

function obstacle(name, room, online = true) {
  return obstacleTo(name, { room, offers: offersOf(room), online });
}

test("what one has done can be taken back until somebody draws", () => {
  const undo = (...acts) => obstacle("undo", tableAfter(acts));

  assert.equal(undo(OWN, OTHER), null);
  assert.equal(undo(OTHER), "reason.nothing_to_undo");
  assert.equal(undo(OWN, DREW), "reason.nothing_to_undo");
  assert.equal(undo(DREW, OWN), null);
});

test("alone one goes back past draws and results", () => {
  const undo = (acts, changes) => obstacle("undo", tableAfter(acts, { alone: true, ...changes }));

  assert.equal(undo([OWN, DREW]), null);
  assert.equal(undo([], { deals: [{ number: 1 }] }), null);
  assert.equal(undo([]), "reason.nothing_to_undo");
});

test("a table without take-backs says so, but not to who plays alone", () => {
  const settings = { undo: false };

  assert.equal(obstacle("undo", tableAfter([OWN], { settings })), "reason.undo_off");
  assert.equal(obstacle("redo", tableAfter([OWN], { settings, redo: 2 })), "reason.undo_off");
  assert.equal(obstacle("undo", tableAfter([OWN], { settings, alone: true })), null);
});

test("there is something to bring back only after a take-back", () => {
  assert.equal(obstacle("redo", tableAfter([])), "reason.nothing_to_redo");
  assert.equal(obstacle("redo", tableAfter([], { redo: 2 })), null);
});

test("hints are for the own turn, and where the table allows them", () => {
  const turn = { seat: 0, legal: [play("1-4", "left")] };

  assert.equal(obstacle("hint", tableAfter([], { turn })), null);
  assert.equal(obstacle("hint", tableAfter([], { turn: { seat: 1 } })), "reason.not_in_turn");
  assert.equal(obstacle("hint", tableAfter([], { turn, settings: { hints: false } })), "reason.hints_off");
  assert.equal(obstacle("hint", tableAfter([], { turn, settings: { hints: false }, alone: true })), null);
});

test("one request at a time", () => {
  const room = tableAfter([OWN], { redo: 1, ask: { ask: 9, what: "undo", seat: 1, to: 8, need: [0] } });

  for (const name of ["undo", "redo", "restart", "new_game"]) assert.equal(obstacle(name, room), "reason.ask_open");
});

test("nothing is asked without a line, and reacting only opens a sheet", () => {
  assert.equal(obstacle("restart", tableAfter([]), false), "reason.offline");
  assert.equal(obstacle("react", tableAfter([]), false), null);
});

const line = (event, seq, struck = null) => ({ event, seq, struck });

function asked(what, by, to) {
  return tableAfter([], { ask: { ask: 20, what, seat: by, to, need: [] } });
}

test("what a request takes back is all that has happened since the step it names", () => {
  const lines = [line(OWN, 11), line(OTHER, 12), line(DREW, 14), line(played(0, "0-1", "left"), 15)];

  assert.deepEqual(actsAtStake(asked("undo", 0, 11), lines), [OTHER, DREW, lines[3].event]);
});

test("of what a snapshot told, it is what the asker did last and all after it", () => {
  const lines = [line(OWN, null), line(OTHER, null), line(DREW, 14)];

  assert.deepEqual(actsAtStake(asked("undo", 1, 11), lines), [OTHER, DREW]);
});

test("what is struck already is not taken back once more", () => {
  const lines = [line(OWN, 11), line(OTHER, 12, 13), line(DREW, 14)];

  assert.deepEqual(actsAtStake(asked("undo", 0, 10), lines), [OWN, DREW]);
});

test("what a request brings back is what was taken back last", () => {
  const lines = [line(OWN, 11), line(OTHER, 12, 15), line(DREW, 13, 14)];

  assert.deepEqual(actsAtStake(asked("redo", 0, 12), lines), [OTHER]);
});

test("a request for another match names no acts", () => {
  assert.deepEqual(actsAtStake(asked("restart", 0, 4), [line(OWN, 11)]), []);
});

test("a request is read out in sentences, with its tiles and scores as words", () => {
  const acts = [played(1, "0-4", null, { scores: [0, 3], points: 3 }), { ...DREW, seat: 2 }];
  const ask = { ask: 1, what: "undo", seat: 1, to: 11, need: [0, 2, 3] };
  const room = tableAfter(acts, { ask, scores: [0, 3] });
  const lines = acts.map((event, number) => ({ event, seq: 12 + number, struck: null }));

  assert.equal(
    requestSentence(room, lines),
    "Bob asks to take back: Bob opened with blank-4. Cy drew a tile. Bob and Di: 3 to 0.",
  );
});

test("behind the curtain nothing is asked of the table, not by a key either", () => {
  const asked = (shown) => {
    const room = { ...sharedRoom(1), settings: SETTINGS, you: { seats: [1, 2], shown, watching: false } };
    room.deal.events.push(played(1, "1-4", null));
    const all = [];
    const client = { online: true, askRoom: (name) => all.push(name), closeSheets() {}, warn() {} };
    actsAt({ store: new Store({ room, choice: {}, sheet: null }), client, announcer: {} }).command("undo");
    return all;
  };

  assert.deepEqual(asked([]), []);
  assert.deepEqual(asked([1]), ["undo"]);
});
