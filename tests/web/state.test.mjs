import assert from "node:assert/strict";
import { test } from "node:test";

import { reduce } from "../../server/web/fold.js";
import { isCovered, memory, otherSeats, ownSeat, scoreBefore, Store } from "../../server/web/state.js";
import { played, playingRoom, sharedRoom, update } from "./rooms.mjs";

/** The room after one update with these events. */
function after(room, ...events) {
  return reduce(room, update(room, events), "p-Ann");
}

test("the others are listed in turn order, beginning with the next", () => {
  const room = playingRoom({ you: { seats: [2], shown: [2], watching: false } });

  assert.deepEqual(
    otherSeats(room).map((other) => other.seat),
    [3, 0, 1],
  );
});

test("a watcher sees every seat", () => {
  const room = playingRoom({ you: { seats: [], shown: [], watching: true } });

  assert.deepEqual(
    otherSeats(room).map((other) => other.seat),
    [0, 1, 2, 3],
  );
});

test("a shared device is covered, and is about who is next to act", () => {
  const about = [0, 1, 2, 3].map((turn) => ownSeat(sharedRoom(turn)));

  assert.deepEqual(about, [1, 1, 2, 1]);
  assert.ok(isCovered(sharedRoom(2)));
});

test("the peg behind stands at the score before the last gain of that side", () => {
  const room = after(
    playingRoom(),
    played(0, "1-4", null, { points: 1, scores: [1, 0] }),
    played(1, "4-6", "right", { points: 2, scores: [1, 2] }),
    played(2, "1-5", "left", { points: 3, scores: [4, 2] }),
  );

  assert.deepEqual([scoreBefore(room, 0), scoreBefore(room, 1)], [1, 0]);
});

test("the store merges changes and tells its listener", () => {
  const store = new Store({ a: 1, b: 1 });
  const seen = [];
  store.onChange((state) => seen.push(state));

  store.change({ a: 2 });
  store.change(({ a }) => ({ b: a + 1 }));

  assert.deepEqual(seen, [
    { a: 2, b: 1 },
    { a: 2, b: 3 },
  ]);
});

test("a value that is no longer of its make is as good as none, and can be written anew", () => {
  const place = new Map([
    ["doublesix.rooms", '{"a": 1}'],
    ["doublesix.name", '"Ann"'],
    ["doublesix.form", "{"],
  ]);
  const storage = { getItem: (name) => place.get(name) ?? null, setItem: (name, text) => place.set(name, text) };
  const kept = memory(() => storage);

  assert.deepEqual([kept.read("rooms"), kept.read("form"), kept.read("name")], [null, null, "Ann"]);
  kept.write("rooms", ["ABC234"]);
  assert.deepEqual(kept.read("rooms"), ["ABC234"]);
});
