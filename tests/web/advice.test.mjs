import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { reduce } from "../../server/web/fold.js";
import { advice, nameOfAction, signed } from "../../server/web/sheets/advice.js";
import { tileMap } from "../../server/web/sheets/map.js";
import { review } from "../../server/web/sheets/review.js";
import { adviceFor } from "../../server/web/state.js";
import { formatPercent, setTexts } from "../../server/web/texts.js";
import { NOTHING, offersOf } from "../../server/web/turn.js";
import { dealEnded, end, played, playingRoom, update } from "./rooms.mjs";

const read = (path) => JSON.parse(readFileSync(new URL(`../../server/web/i18n/${path}.json`, import.meta.url), "utf8"));
const speak = (language) => setTexts(language, { ...read(language), ...read(`guide/${language}`) });
speak("en");

const PLAY = { type: "play", tile: "1-4", end: "left" };
const BETTER = { type: "play", tile: "4-4", end: "left" };
const LEGAL = [PLAY, BETTER].map((action) => ({ action, total: 8, parts: [], points: 0, ends: [end("left", 1)] }));
const ENTRY = { action: PLAY, value: 1, reason: "weaker", points: -0.44, chance: 0.536, error: 0.01, close: true };
const FACTS = { answers: 3, shut: [1], reply: { total: 15, points: 8 } };
/** Chances of 0-1 and 0-3, the only unseen tiles. */
const chances = (first, second) => Array.from({ length: 28 }, (_, at) => ({ 1: first, 3: second })[at] ?? null);
const MAP = {
  seats: [chances(0, 0), chances(0.25, 0), chances(0.5, 1), chances(0, 0)],
  stock: chances(0.25, 0),
  none_of: [[], [3, 5], [], []],
};

function ownTurn() {
  return playingRoom({ ends: [end("left", 4)], turn: { seat: 0, legal: LEGAL } });
}

/** What the sheet of a hint is drawn from, `answer` given for the turn of `room`. */
function scene(room, answer = { actions: [{ ...ENTRY, action: BETTER, close: false }, ENTRY], map: MAP }) {
  return { room, choice: NOTHING, offers: offersOf(room), mapped: null, advice: { ...answer, events: room.deal.events } };
}

/** All words of a description, hidden ones too. */
function words(node) {
  if (node === null || typeof node !== "object") return String(node ?? "");
  return [node.attrs["aria-label"] ?? "", ...node.children.map(words)].filter(Boolean).join(" ");
}

/** The descriptions in `node` for which `wanted` holds. */
function all(node, wanted) {
  if (node === null || typeof node !== "object") return [];
  return [...(wanted(node) ? [node] : []), ...node.children.flatMap((child) => all(child, wanted))];
}

test("advice is for the choice for which it was given, and for no other", () => {
  const room = ownTurn();
  const given = scene(room);
  const hinted = reduce(room, update(room, [{ type: "hinted", seat: 0 }], room.turn), "p-Ann");
  const later = reduce(room, update(room, [played(1, "0-4", "left")], room.turn), "p-Ann");

  assert.equal(adviceFor(given), given.advice);
  assert.equal(adviceFor({ ...given, room: hinted }), given.advice);
  assert.equal(adviceFor({ ...given, room: later }), null);
  assert.equal(adviceFor({ ...given, room: { ...room, turn: { seat: 0 } } }), null, "the hand is covered");
  assert.equal(adviceFor({ ...given, room: { ...room, turn: { seat: 1 } } }), null);
  assert.equal(adviceFor({ room, advice: null }), null);
});

test("each play says its chance, its points, why, and whether it is too close to call", () => {
  const answer = { actions: [{ ...ENTRY, action: BETTER, close: false }, { ...ENTRY, ...FACTS }], map: MAP };

  const [best, other] = all(advice(scene(ownTurn(), answer), {}), ({ tag }) => tag === "li").map(words);

  assert.match(best, /4-4 at A/);
  assert.match(best, /best, but too close to call/);
  for (const said of ["1-4 at A", "54%", "−0.4 points", "others score more", "too close to call", "3 of 2 unseen"])
    assert.ok(other.includes(said), `${said} in ${other}`);
  assert.match(other, /Bob surely has none/);
  assert.match(other, /worst reply 15, 8 points/);
});

test("a play that is pressed is chosen, and no more", () => {
  const done = [];
  const act = { closeSheet: () => done.push("closed"), choose: (input) => done.push(input) };
  const [, second] = all(advice(scene(ownTurn()), act), ({ attrs }) => /^advice-play( |$)/.test(attrs.class ?? ""));

  second.attrs.onclick();

  assert.equal(done[0], "closed");
  assert.deepEqual([done[1].type, done[1].action, done[1].reason], ["hint", PLAY, "weaker"]);
});

test("without odds the sheet says what it goes by", () => {
  const { chance, points, error, close, ...bare } = ENTRY;

  const said = words(advice(scene(ownTurn(), { actions: [bare] }), {}));

  assert.ok([chance, points, error, close].every((value) => value !== undefined));
  assert.match(said, /Judged by what each play gives and leaves/);
  assert.doesNotMatch(said, /%/);
});

test("the map says of each unseen tile how likely it is at one seat, or undealt, and what is ruled out", () => {
  const room = ownTurn();
  const told = [];
  const act = { mapFor: (key) => told.push(key) };

  const ofBob = tileMap(scene(room), MAP, act);
  const undealt = words(tileMap({ ...scene(room), mapped: "stock" }, MAP, act));
  all(ofBob, ({ tag }) => tag === "input")[1].attrs.onchange();

  const cells = all(ofBob, ({ attrs }) => attrs["data-tile"] !== undefined);
  assert.equal(cells.length, 28);
  assert.match(words(ofBob), /blank-1: 25%/);
  assert.match(words(ofBob), /double 6: seen/);
  assert.match(words(ofBob), /Bob has shown to have none of 3 and 5/);
  assert.match(undealt, /blank-3: 0%/);
  assert.deepEqual(told, [2]);
});

test("a review marks blunders, says what each play cost, and lays the better play on the line as it was", () => {
  const room = playingRoom({ ends: [end("left", 4)] });
  room.deal.events.push(played(3, "0-4", null), played(0, "1-4", "right"), dealEnded({ hands: [[], [], [], []] }));
  room.phase = "deal_over";
  const plays = [{ action: PLAY, best: BETTER, regret: 0.12, close: false, blunder: true, chance: 0.4, points: 1, error: 0 }];
  const answer = { plays, result: 4, par: -2 };
  const asked = [];

  const before = review({ room, reviews: [], reviewing: false, online: true }, room, {
    review: (deal, seat) => asked.push([deal, seat]),
  });
  all(before, ({ tag }) => tag === "button")[0].attrs.onclick();
  const after = review({ room, reviews: [{ deal: room.deal, seat: 0, answer }], online: true }, room, {});

  assert.deepEqual(asked, [[room.deal, 0]]);
  const said = words(after);
  for (const part of ["blunder, cost 12%", "Better: 4-4 at A", "+4", "−2", "+6"]) assert.ok(said.includes(part), part);
  assert.equal(all(after, ({ attrs }) => attrs.class === "mark" && attrs.rx).length, 1);
});

test("there is no review of a deal that was not seen from the own hand, nor a button when it has gone from the table", () => {
  const room = playingRoom();
  room.deal.hands = {};
  const earlier = playingRoom();
  const now = { ...playingRoom(), deal: { ...playingRoom().deal, number: 2 } };

  assert.equal(review({ room: { ...room, phase: "deal_over" }, reviews: [], online: true }, room, {}), null);
  assert.equal(review({ room: now, reviews: [], online: true }, earlier, {}), null);
});

test("numbers of points have a sign, and parts are percent in each language", () => {
  assert.deepEqual([2.34, -0.46, 0.02].map(signed), ["+2.3", "−0.5", "0"]);
  assert.equal(nameOfAction({ type: "play", tile: "6-6", end: null }), "6-6");
  assert.equal(nameOfAction({ type: "knock" }), "knock");
  speak("uk");
  assert.equal(signed(-2.5), "−2,5");
  assert.match(formatPercent(0.536), /^54\s?%$/);
  speak("en");
});
