/**
 * The examples of the rules, by game, each with what the server would say of it: the tests hold them to the engine.
 *
 * A layout: `plays` as {tile, end} with `ends`, `total` and `parts` of the last one; `before` is the score of the side
 * where the exact target does not take the play. A count: `hands` that are left when a deal is blocked, `bonus` by side.
 */

const end = (name, value, counts = value) => ({ end: name, value, counts });
const by = (divisor, points) => ({ by: divisor, points });

const OPENED = [{ tile: "1-4", end: null }];
const ONE_DOUBLE = [...OPENED, { tile: "1-1", end: "left" }];
const TWO_DOUBLES = [...ONE_DOUBLE, { tile: "4-4", end: "right" }];
const COVERED = [...TWO_DOUBLES, { tile: "3-4", end: "right" }];
const FIFTEEN = [
  { tile: "2-5", end: null },
  { tile: "5-5", end: "right" },
  { tile: "2-3", end: "left" },
  { tile: "3-5", end: "left" },
];
const LAST_TILE = [
  { tile: "3-6", end: null },
  { tile: "3-4", end: "left" },
  { tile: "2-6", end: "right" },
];

const SPINNER = [
  { tile: "1-2", end: null },
  { tile: "2-2", end: "right" },
];
const BOTH_SIDES = [...SPINNER, { tile: "2-4", end: "right" }];
const THIRD_ARM = [...BOTH_SIDES, { tile: "2-5", end: "up" }];
const ARM_DOUBLE = [...THIRD_ARM, { tile: "5-5", end: "up" }];

const MATCHED = [
  { tile: "3-5", end: null },
  { tile: "5-5", end: "right" },
  { tile: "0-5", end: "right" },
];

const FIVES_THREES = [
  { key: "opening", plays: OPENED, ends: [end("left", 1), end("right", 4)], total: 5, parts: [by(5, 1)] },
  { key: "double", plays: ONE_DOUBLE, ends: [end("left", 1, 2), end("right", 4)], total: 6, parts: [by(3, 2)] },
  {
    key: "two_doubles",
    plays: TWO_DOUBLES,
    ends: [end("left", 1, 2), end("right", 4, 8)],
    total: 10,
    parts: [by(5, 2)],
  },
  { key: "covered", plays: COVERED, ends: [end("left", 1, 2), end("right", 3)], total: 5, parts: [by(5, 1)] },
  {
    key: "lone_double",
    plays: [{ tile: "2-2", end: null }],
    ends: [end("left", 2, 4), end("right", 2, 0)],
    total: 4,
    parts: [],
  },
  {
    key: "fifteen",
    plays: FIFTEEN,
    ends: [end("left", 5), end("right", 5, 10)],
    total: 15,
    parts: [by(3, 5), by(5, 3)],
  },
  {
    key: "over",
    plays: LAST_TILE,
    ends: [end("left", 4), end("right", 2)],
    total: 6,
    parts: [by(3, 2), by(1, 1)],
    before: 59,
  },
];

const ALL_FIVES = [
  { key: "opening", plays: OPENED, ends: [end("left", 1), end("right", 4)], total: 5, parts: [by(5, 5)] },
  { key: "spinner", plays: SPINNER, ends: [end("left", 1), end("right", 2, 4)], total: 5, parts: [by(5, 5)] },
  {
    key: "both_sides",
    plays: BOTH_SIDES,
    ends: [end("left", 1), end("right", 4), end("up", 2, 0), end("down", 2, 0)],
    total: 5,
    parts: [by(5, 5)],
  },
  {
    key: "third_arm",
    plays: THIRD_ARM,
    ends: [end("left", 1), end("right", 4), end("up", 5), end("down", 2, 0)],
    total: 10,
    parts: [by(5, 10)],
  },
  {
    key: "arm_double",
    plays: ARM_DOUBLE,
    ends: [end("left", 1), end("right", 4), end("up", 5, 10), end("down", 2, 0)],
    total: 15,
    parts: [by(5, 15)],
  },
];

const LINE = [{ key: "matched", plays: MATCHED, ends: [end("left", 3), end("right", 0)], total: 3, parts: [] }];

export const LAYOUTS = { "fives-threes": FIVES_THREES, "all-fives": ALL_FIVES, block: LINE, draw: LINE };

const LIGHTEST_OF_TWO = [["1-1"], ["3-5", "4-5"]];
const LIGHTEST_OF_THREE = [["1-1"], ["1-4", "0-3"], ["4-5"]];
const LEVEL_OF_TWO = [["1-1"], ["0-2"]];
const LEVEL_OF_THREE = [["1-1"], ["0-2"], ["6-6", "0-1"]];

const UNROUNDED = [
  { key: "lightest", hands: LIGHTEST_OF_TWO, bonus: [17, 0] },
  { key: "tie", hands: LEVEL_OF_TWO, bonus: [0, 0] },
  { key: "lightest", hands: LIGHTEST_OF_THREE, bonus: [17, 0, 0] },
  { key: "tie", hands: LEVEL_OF_THREE, bonus: [0, 0, 0] },
];

/** Of these only those with as many hands as there are sides are shown. */
export const COUNTS = {
  "fives-threes": [],
  "all-fives": [
    { key: "lightest", hands: LIGHTEST_OF_TWO, bonus: [15, 0] },
    { key: "tie", hands: LEVEL_OF_TWO, bonus: [0, 0] },
    { key: "lightest", hands: LIGHTEST_OF_THREE, bonus: [15, 0, 0] },
    { key: "two_lightest", hands: LEVEL_OF_THREE, bonus: [7.5, 7.5, 0] },
  ],
  block: UNROUNDED,
  draw: UNROUNDED,
};
