import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { endingRows } from "../../server/web/sheets/ending.js";
import { setTexts } from "../../server/web/texts.js";
import { dealEnded, end, played, playingRoom, seat } from "./rooms.mjs";

setTexts("en", JSON.parse(readFileSync(new URL("../../server/web/i18n/en.json", import.meta.url), "utf8")));

/** What is said of a deal of `game` that ended with `last` and `ended`, each row as "text | value". */
function rows({ game = "all-fives", seats = 3, target = 200, last = [], scores = [0, 0, 0], ...ended }) {
  const event = dealEnded({ scores, ...ended });
  const sides = scores.length;
  const room = playingRoom({ settings: { game, seats, target }, scores });
  room.seats = ["Ann", "Bob", "Cy", "Di"].slice(0, seats).map((name, at) => seat(at, name, { side: at % sides }));
  room.deal.events.push(...last, event);
  return endingRows(room, event).map(({ text, value }) => (value ? `${text} | ${value}` : text));
}

const LAST = played(1, "1-2", "left", {
  ends: [end("left", 1), end("right", 4)],
  total: 5,
  parts: [{ by: 5, points: 5 }],
});

test("who goes out gets what the others hold, rounded to fives", () => {
  const said = rows({ seat: 1, last: [LAST], hands: [["4-4"], [], ["4-5"]], bonus: [0, 15, 0] });

  assert.deepEqual(said, [
    "Last play: Bob 1-2 at A | 1 + 4 = 5 → 5",
    "Pips left with the others, to the nearest five | 8 + 9 = 17 → 15",
    "Bob | +15",
  ]);
});

test("pips that round to nothing give nothing, which is no tie", () => {
  const said = rows({ reason: "blocked", seat: null, hands: [["0-0"], ["0-1"], ["0-1"]], bonus: [0, 0, 0] });

  assert.deepEqual(said, [
    "Fewest pips in hand: You | 0",
    "Pips left with the others, to the nearest five | 1 + 1 = 2 → 0",
    "You | +0",
  ]);
});

test("two of three who hold equally few share what the third holds", () => {
  const said = rows({ reason: "blocked", seat: null, hands: [["1-1"], ["6-6", "0-1"], ["0-2"]], bonus: [7.5, 0, 7.5] });

  assert.deepEqual(said, [
    "Equal fewest pips in hand: You and Cy | 2",
    "Bob: pips left, to the nearest five | 13 → 15",
    "Halved between the two | 15 / 2 = 7.5",
    "You | +7.5",
    "Cy | +7.5",
  ]);
});

test("equal hands of two give nobody a bonus, in words", () => {
  const hands = [["1-1"], ["0-2"]];

  const said = rows({ game: "draw", seats: 2, scores: [0, 0], reason: "blocked", seat: null, hands, bonus: [0, 0] });

  assert.deepEqual(said, ["Equal fewest pips in hand: You and Bob | 2", "Equal hands: nobody gets a bonus"]);
});

test("partners who block hold their pips together, and the others are not rounded in Block", () => {
  const hands = [["1-1"], ["4-4"], ["0-1"], ["4-5"]];

  const said = rows({ game: "block", seats: 4, scores: [17, 0], reason: "blocked", seat: null, hands, bonus: [17, 0] });

  assert.deepEqual(said, [
    "Fewest pips in hand: You and Cy | 3",
    "Pips left with the others | 8 + 9 = 17",
    "You and Cy | +17",
  ]);
});

test("the target in the middle of a deal leaves the hands uncounted", () => {
  const said = rows({ reason: "target", seat: 1, last: [LAST], hands: [["4-4"], ["1-1"], []], bonus: [0, 0, 0] });

  assert.equal(said.at(-1), "The target ends the match at once: the tiles left do not count");
});

const FIVES_THREES = {
  game: "fives-threes",
  target: 61,
  seats: 4,
  scores: [59, 40],
  hands: [[], ["1-1"], [], ["2-2"]],
};
const OUT = [
  { by: 3, points: 2 },
  { by: 1, points: 1 },
];

test("in Fives and Threes going out is a point of its own, and what is over the target is explained", () => {
  const last = [
    played(0, "2-4", "right", { ends: [end("left", 2), end("right", 4)], total: 6, parts: OUT, dropped: 3 }),
  ];

  assert.deepEqual(rows({ ...FIVES_THREES, last, dropped: 3, bonus: [0, 0] }), [
    "Last play: You 2-4 at B | 2 + 4 = 6 → 2",
    "Out bonus, as both are out: You and Cy | +1",
    "The whole play is worth 3: 59 + 3 = 62, over 61, so nothing counts",
    "Tiles left in hand do not count",
  ]);
});

test("the point for going out is told where it reaches the target, too", () => {
  const last = [
    played(0, "2-4", "right", { ends: [end("left", 2), end("right", 4)], total: 6, parts: OUT, points: 3 }),
  ];

  const said = rows({ ...FIVES_THREES, last, reason: "target", scores: [61, 40], bonus: [0, 0] });

  assert.ok(said.includes("Out bonus, as both are out: You and Cy | +1"));
});

test("a block in Fives and Threes gives no points", () => {
  const last = [{ type: "knocked", seat: 2 }];

  assert.deepEqual(rows({ ...FIVES_THREES, last, reason: "blocked", seat: null, bonus: [0, 0] }), [
    "Last act: Cy knocked",
    "A block gives no points",
    "Tiles left in hand do not count",
  ]);
});
