import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { MOST_REPLAYS, note } from "../../server/web/diary.js";
import { setTexts } from "../../server/web/texts.js";
import { lobbyRoom, playingRoom, sharedRoom } from "./rooms.mjs";

setTexts("en", JSON.parse(readFileSync(new URL("../../server/web/i18n/en.json", import.meta.url))));

/** The memory of a browser in which nothing is kept yet. */
function blank() {
  const values = new Map();
  return { read: (name) => values.get(name) ?? null, write: (name, value) => values.set(name, value) };
}

function finishedRoom(record, winner = 0) {
  const room = playingRoom({ phase: "match_over", scores: [61, 40] });
  const ended = { type: "match_ended", winner, scores: [61, 40], record };
  return { ...room, deal: { ...room.deal, events: [...room.deal.events, ended] } };
}

test("of a table with an own seat it is remembered what is played with whom, and how it stands", () => {
  const kept = blank();

  note(kept, playingRoom({ scores: [12, 7] }), 1000);

  assert.deepEqual(kept.read("tables"), {
    ABCDEF: {
      game: "fives-threes",
      partner: "Cy",
      others: ["Bob", "Di"],
      together: null,
      scores: [12, 7],
      isOver: false,
      at: 1000,
    },
  });
});

test("at a shared device all are remembered together, and none of them has won for this browser", () => {
  const kept = blank();
  const room = sharedRoom(1, { phase: "match_over", scores: [61, 40] });
  const ended = { type: "match_ended", winner: 0, scores: [61, 40], record: "aa" };

  note(kept, { ...room, deal: { ...room.deal, events: [ended] } }, 1000);

  const computer = { seat: 3, name: "Computer", bot: "club" };
  assert.deepEqual(kept.read("tables").ABCDEF.together, ["Bob", "Ann", "Wei", computer]);
  assert.equal(kept.read("replays")[0].won, null);
});

test("nobody is remembered for an empty seat", () => {
  const kept = blank();

  note(kept, lobbyRoom(), 1000);

  assert.deepEqual(kept.read("tables").ABCDEF.others, ["Bob"]);
});

test("who only watches remembers nothing", () => {
  const kept = blank();

  note(kept, { ...finishedRoom("aa"), you: { seats: [], shown: [], watching: true } }, 1000);

  assert.equal(kept.read("tables"), null);
  assert.equal(kept.read("replays"), null);
});

test("a match that has ended is remembered once, the newest first", () => {
  const kept = blank();

  note(kept, finishedRoom("aa"), 1000);
  note(kept, finishedRoom("bb", 1), 2000);
  note(kept, finishedRoom("bb", 1), 3000);

  assert.deepEqual(kept.read("replays"), [
    { id: "bb", game: "fives-threes", names: ["Ann", "Bob", "Cy", "Di"], scores: [61, 40], won: false, at: 2000 },
    { id: "aa", game: "fives-threes", names: ["Ann", "Bob", "Cy", "Di"], scores: [61, 40], won: true, at: 1000 },
  ]);
});

test("only so many matches are remembered", () => {
  const kept = blank();

  for (let number = 0; number <= MOST_REPLAYS; number += 1) note(kept, finishedRoom(`record ${number}`), number);

  const ids = kept.read("replays").map(({ id }) => id);
  assert.equal(ids.length, MOST_REPLAYS);
  assert.equal(ids[0], `record ${MOST_REPLAYS}`);
});

test("a match that was broken off, or has no record, is not remembered", () => {
  const kept = blank();

  note(kept, finishedRoom("aa", null), 1000);
  note(kept, finishedRoom(null), 1000);

  assert.equal(kept.read("replays"), null);
});
