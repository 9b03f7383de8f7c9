import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { problemOf, settingsOf, usualTarget } from "../../server/web/screens/form.js";
import { setTexts } from "../../server/web/texts.js";

setTexts("en", JSON.parse(readFileSync(new URL("../../server/web/i18n/en.json", import.meta.url))));

/** What a server has written into the page that seats no computers that search. */
globalThis.document = { querySelector: () => ({ content: "novice beginner club trained" }) };

const FORM = {
  game: "all-fives",
  seats: 4,
  lead: 2,
  fill: "wait",
  bot: "novice",
  bot_delay: 0.25,
  public: true,
  spectators: false,
  undo: false,
  hints: true,
  absence: "wait",
  grace: 300,
  next_deal_after: 60,
  turn_timer: 30,
  target: "",
  local: 3,
  names: ["Wei", " "],
};
const ALWAYS = { game: "all-fives", seats: 4, lead: 2, bot: "novice", bot_delay: 0.25 };

test("a table for friends has all settings of the form", () => {
  assert.deepEqual(settingsOf(FORM, "friends"), {
    ...ALWAYS,
    fill: "wait",
    spectators: false,
    undo: false,
    hints: true,
    absence: "wait",
    grace: 300,
    next_deal_after: 60,
    turn_timer: 30,
    public: true,
  });
});

test("alone with computers only the game is to be set", () => {
  assert.deepEqual(settingsOf(FORM, "computers"), ALWAYS);
});

test("at one device the others have the names that were said, or those of their seats", () => {
  assert.deepEqual(settingsOf(FORM, "device"), { ...ALWAYS, local: 3, names: ["Wei", "Seat 3"] });
});

test("at one device there are never more people than seats, and at least two", () => {
  assert.equal(settingsOf({ ...FORM, seats: 2 }, "device").local, 2);
  assert.equal(settingsOf({ ...FORM, local: 1 }, "device").local, 2);
});

test("a level that this server cannot seat gives way to the usual one", () => {
  assert.equal(settingsOf({ ...FORM, bot: "master" }, "friends").bot, "club");
});

test("a lead that the table has no seat for is drawn by lot", () => {
  assert.equal(settingsOf({ ...FORM, seats: 2 }, "friends").lead, "lot");
});

test("a target that was typed is sent as a number", () => {
  assert.equal(settingsOf({ ...FORM, target: "120" }, "computers").target, 120);
});

test("a target has to be a whole number within the bounds of the server", () => {
  const wrong = ["0", "-3", "1.5", "ten", "1000001"];

  assert.deepEqual(
    wrong.map((target) => problemOf({ target })?.field),
    wrong.map(() => "target"),
  );
  assert.deepEqual(
    ["", "1", "1000000"].map((target) => problemOf({ target })),
    [null, null, null],
  );
});

test("the usual target is that of the game and of the number of seats", () => {
  const targets = ["fives-threes", "all-fives", "block", "draw"].map((game) => usualTarget({ game, seats: 2 }));

  assert.deepEqual(targets, [61, 250, 100, 100]);
  assert.equal(usualTarget({ game: "all-fives", seats: 3 }), 200);
});
