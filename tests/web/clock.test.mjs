import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { clock, clockText, followClock, secondsLeft } from "../../server/web/clock.js";
import { endOfTime } from "../../server/web/fold.js";
import { setTexts } from "../../server/web/texts.js";
import { playingRoom, seat } from "./rooms.mjs";
import { ENGLISH } from "./words.mjs";

setTexts("en", ENGLISH);
mock.timers.enable({ apis: ["setTimeout"] });

/** The choice of seat `turn` at a table where 30 seconds are given for each, over at 30,000 milliseconds. */
function timed(turn = 0, changes = {}) {
  const room = playingRoom({ turn: { seat: turn, legal: [] }, ...changes });
  return { room: { ...room, settings: { ...room.settings, turn_timer: 30 } }, runsOut: 30_000 };
}

/** What is said when the page is drawn at these moments. */
function said(state, ...moments) {
  const texts = [];
  for (const now of moments) followClock(state, { say: (text) => texts.push(text) }, () => {}, now);
  return texts;
}

test("the time that a message leaves runs from the moment at which it came", () => {
  assert.equal(endOfTime({ seat: 0, left: 12.5 }, 1000), 13_500);
  assert.equal(endOfTime({ seat: 0 }, 1000), null);
  assert.equal(endOfTime(null, 1000), null);
});

test("begun seconds count as whole ones, and no time is less than none", () => {
  assert.deepEqual(
    [0, 1, 29_001, 31_000].map((now) => secondsLeft(timed(), now)),
    [30, 30, 1, 0],
  );
});

test("while the table is paused all of the time is left", () => {
  assert.equal(secondsLeft({ ...timed(), runsOut: null }, 25_000), 30);
});

test("there is no clock without a timer, between turns, and for computers", () => {
  const covered = seat(1, "Bob", { state: "bot_in" });
  const computer = seat(1, "Computer", { bot: "club" });
  const { room } = timed();

  assert.equal(clock({ room: playingRoom({ turn: { seat: 0 } }), runsOut: null }), null);
  assert.equal(clock({ room: { ...room, turn: null }, runsOut: null }), null);
  for (const other of [covered, computer]) assert.equal(clock(timed(1, { seats: room.seats.with(1, other) })), null);
});

test("time is shown in minutes and seconds", () => {
  assert.deepEqual([0, 9, 60, 65, 600].map(clockText), ["0:00", "0:09", "1:00", "1:05", "10:00"]);
});

test("the last ten seconds are told once, to who is in turn alone", () => {
  const moments = [19_000, 20_000, 21_000, 25_500];

  assert.deepEqual(said(timed(1), ...moments), []);
  assert.deepEqual(said(timed(0), ...moments), ["10 seconds left"]);
});

test("the page is drawn again when a second is over, and no more when the time is", () => {
  let drawn = 0;
  const follow = (now) => followClock(timed(2), { say() {} }, () => (drawn += 1), now);

  follow(10_250);
  mock.timers.tick(749);
  assert.equal(drawn, 0);
  mock.timers.tick(1);
  assert.equal(drawn, 1);
  follow(30_000);
  mock.timers.tick(60_000);

  assert.equal(drawn, 1);
});
