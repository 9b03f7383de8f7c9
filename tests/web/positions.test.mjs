import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { positions } from "../../server/web/positions.js";
import { setTexts } from "../../server/web/texts.js";
import { offersOf, TURN } from "../../server/web/turn.js";
import { end, playingRoom } from "./rooms.mjs";

setTexts("en", JSON.parse(readFileSync(new URL("../../server/web/i18n/en.json", import.meta.url))));

/** The words of the list of places for 1-4, which may be laid at A and is worth `play`. */
function words({ hand = ["1-4", "4-4"], game = "fives-threes", ...play }) {
  const action = { type: "play", tile: "1-4", end: "left" };
  const legal = [{ action, total: 5, points: 1, out_bonus: 0, accepted: true, wins: false, ends: [], ...play }];
  const settings = { game, seats: 4, target: 61 };
  const room = playingRoom({ hand, settings, scores: [60, 0], ends: [end("left", 4)], turn: { seat: 0, legal } });
  const choice = { tile: "1-4", end: null, state: TURN };
  const list = positions({ room, choice, offers: offersOf(room) }, {});
  return list.children.filter(({ tag }) => tag === "label").map(({ children }) => children.at(-1));
}

test("a place is listed with its points, if they count", () => {
  assert.deepEqual(words({}), ["A: 4, total 5, 1 point"]);
  assert.deepEqual(words({ points: 3, accepted: false }), ["A: 4, total 5, 60 + 3 = 63: over 61, nothing counts"]);
});

test("a place is listed as what wins, or lets the last tile go", () => {
  assert.deepEqual(words({ wins: true }), ["A: 4, total 5, 1 point, wins"]);
  assert.deepEqual(words({ hand: ["1-4"], out_bonus: 1 }), ["A: 4, total 5, 2 points, goes out"]);
  assert.deepEqual(words({ hand: ["1-4"], game: "block" }), ["A: 4, goes out"]);
});
