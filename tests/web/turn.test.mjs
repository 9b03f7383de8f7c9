import assert from "node:assert/strict";
import { test } from "node:test";

import { reduce } from "../../server/web/fold.js";
import { endsFor, isDropped, NOTHING, offersOf, settle, step } from "../../server/web/turn.js";
import { end, play, played, playingRoom, update } from "./rooms.mjs";

const ENDS = [end("left", 1), end("right", 4)];

/** Ann to play: 1-4 fits both ends, 4-4 only the right one, 6-6 none. */
function ownTurn(legal = [play("1-4", "left"), play("1-4", "right"), play("4-4", "right")]) {
  return playingRoom({ hand: ["1-4", "4-4", "6-6"], ends: ENDS, turn: { seat: 0, legal } });
}

/** The choice after these inputs, each a second after the other, from the beginning of the turn in `room`. */
function chosen(room, ...inputs) {
  const start = settle(NOTHING, room, 0);
  return inputs.reduce((choice, input, number) => step(choice, input, offersOf(room), (number + 1) * 1000), start);
}

const tile = (name) => ({ type: "tile", tile: name });
const at = (name) => ({ type: "end", end: name });
const confirm = { type: "confirm" };
const cancel = { type: "cancel" };

test("a tile that fits two ends waits for one of them", () => {
  const choice = chosen(ownTurn(), tile("1-4"));

  assert.deepEqual([choice.state, choice.tile, choice.end], ["TILE", "1-4", null]);
});

test("a tile that fits one end is previewed there at once", () => {
  const choice = chosen(ownTurn(), tile("4-4"));

  assert.deepEqual([choice.state, choice.end], ["PREVIEW", "right"]);
});

test("the opening tile has one place and is previewed at once", () => {
  const room = playingRoom({ turn: { seat: 0, legal: [play("1-4", null), play("4-4", null)] } });

  const choice = chosen(room, tile("1-4"), confirm);

  assert.deepEqual(choice.action, { type: "play", tile: "1-4", end: null });
});

test("confirming sends the server's action as it stands, once", () => {
  const room = ownTurn();

  const sending = chosen(room, tile("1-4"), at("left"), confirm);
  const again = step(sending, confirm, offersOf(room), 9000);

  assert.equal(sending.state, "SENDING");
  assert.equal(sending.action, room.turn.legal[0].action);
  assert.equal(again, sending);
});

test("nothing is sent by choosing tiles and ends alone", () => {
  const choice = chosen(ownTurn(), tile("1-4"), at("left"), at("right"), tile("4-4"), tile("1-4"), at("left"));

  assert.deepEqual([choice.state, choice.action], ["PREVIEW", null]);
});

test("a tap on the preview confirms it, but not within a quarter of a second", () => {
  const room = ownTurn();
  const preview = chosen(room, tile("1-4"), at("left"));

  const slip = step(preview, { type: "preview" }, offersOf(room), preview.since + 249);
  const meant = step(preview, { type: "preview" }, offersOf(room), preview.since + 250);

  assert.equal(slip.state, "PREVIEW");
  assert.equal(meant.state, "SENDING");
});

test("a tap on the end that is previewed counts as a tap on the preview", () => {
  const room = ownTurn();
  const preview = chosen(room, tile("1-4"), at("left"));

  assert.equal(step(preview, at("left"), offersOf(room), preview.since + 10), preview);
  assert.equal(step(preview, at("left"), offersOf(room), preview.since + 300).state, "SENDING");
});

test("cancel goes back one step: from the preview to the lit ends, then to no tile", () => {
  const once = chosen(ownTurn(), tile("1-4"), at("left"), cancel);
  const twice = chosen(ownTurn(), tile("1-4"), at("left"), cancel, cancel);

  assert.deepEqual([once.state, once.tile, once.end], ["TILE", "1-4", null]);
  assert.deepEqual([twice.state, twice.tile], ["TURN", null]);
});

test("cancel lights the only end of a tile again before it puts the tile down", () => {
  const once = chosen(ownTurn(), tile("4-4"), cancel);

  assert.deepEqual([once.state, once.tile, once.end], ["TILE", "4-4", null]);
});

test("the same tile again is put down", () => {
  assert.equal(chosen(ownTurn(), tile("1-4"), tile("1-4")).state, "TURN");
});

test("a tile that fits nowhere is not chosen", () => {
  const choice = chosen(ownTurn(), tile("6-6"));

  assert.deepEqual([choice.state, choice.tile], ["TURN", null]);
});

test("a dragged tile lights its ends and chooses none, even where there is only one", () => {
  const choice = chosen(ownTurn(), { type: "lift", tile: "4-4" });

  assert.deepEqual([choice.state, choice.tile, choice.end], ["TILE", "4-4", null]);
});

test("a tile in the air stays there whatever is played meanwhile, and is no choice of an end", () => {
  const waiting = playingRoom({ hand: ["1-4", "4-4"], ends: ENDS, turn: { seat: 1 } });
  const lifted = step(NOTHING, { type: "lift", tile: "4-4" }, offersOf(waiting), 0);

  const later = settle(lifted, ownTurn(), 10);

  assert.deepEqual([later.state, later.tile, later.end], ["TILE", "4-4", null]);
  assert.equal(step(later, cancel, offersOf(ownTurn()), 20).state, "TURN");
});

test("the only tile that can be played stays chosen when another one is tapped", () => {
  const drawn = ownTurn([play("1-4", "left"), play("1-4", "right")]);

  const choice = chosen(drawn, tile("1-4"), tile("6-6"));

  assert.deepEqual([choice.state, choice.tile], ["TILE", "1-4"]);
});

test("a tile in the air that fits nowhere may fit before it is let go", () => {
  const waiting = playingRoom({ hand: ["1-4", "4-4"], ends: [end("left", 2)], turn: { seat: 1 } });
  const lifted = step(NOTHING, { type: "lift", tile: "4-4" }, offersOf(waiting), 0);

  assert.deepEqual(endsFor(offersOf(ownTurn()), settle(lifted, ownTurn(), 10).tile), ["right"]);
});

test("a draw is asked first and then confirmed", () => {
  const room = ownTurn([{ action: { type: "draw" } }]);

  const asked = chosen(room, { type: "draw" });
  const sent = chosen(room, { type: "draw" }, confirm);

  assert.deepEqual([asked.state, asked.action], ["DRAW?", null]);
  assert.deepEqual([sent.state, sent.action], ["SENDING", { type: "draw" }]);
});

test("where there is nothing to draw no draw is asked", () => {
  assert.equal(chosen(ownTurn(), { type: "draw" }).state, "TURN");
});

test("who can only knock is asked for that", () => {
  const room = ownTurn([{ action: { type: "knock" } }]);

  assert.equal(chosen(room).state, "KNOCK?");
  assert.deepEqual(chosen(room, confirm).action, { type: "knock" });
});

test("a refused play is previewed again", () => {
  const choice = chosen(ownTurn(), tile("1-4"), at("left"), confirm, { type: "refused" });

  assert.deepEqual([choice.state, choice.tile, choice.end, choice.action], ["PREVIEW", "1-4", "left", null]);
});

test("a tile can be prepared before the turn, and is never sent then", () => {
  const room = playingRoom({ hand: ["1-4", "6-6"], ends: ENDS, turn: { seat: 1 } });

  const prepared = chosen(room, tile("1-4"), at("left"), confirm);

  assert.deepEqual([prepared.state, prepared.tile, prepared.end, prepared.action], ["WAIT", "1-4", "left", null]);
  assert.deepEqual(endsFor(offersOf(room), "6-6"), []);
});

test("what was prepared is previewed when the turn comes", () => {
  const waiting = playingRoom({ hand: ["1-4", "4-4", "6-6"], ends: ENDS, turn: { seat: 3 } });
  const prepared = chosen(waiting, tile("1-4"), at("left"));

  const choice = settle(prepared, ownTurn(), 5000);

  assert.deepEqual([choice.state, choice.tile, choice.end], ["PREVIEW", "1-4", "left"]);
});

test("what was prepared is dropped when it fits no more", () => {
  const waiting = playingRoom({ hand: ["1-4"], ends: ENDS, turn: { seat: 3 } });
  const prepared = chosen(waiting, tile("1-4"), at("left"));

  const choice = settle(prepared, ownTurn([play("4-4", "right")]), 5000);

  assert.deepEqual([choice.state, choice.tile], ["TURN", null]);
});

test("a drawn tile that fits is chosen by itself", () => {
  const room = ownTurn([{ action: { type: "draw" } }]);
  const sending = chosen(room, { type: "draw" }, confirm);
  const turn = { seat: 0, legal: [play("2-4", "right")] };

  const after = reduce(room, update(room, [{ type: "drew", seat: 0, stock: 7, tile: "2-4" }], turn), "p-Ann");
  const choice = settle(sending, after, 5000);

  assert.deepEqual([choice.state, choice.tile, choice.end], ["PREVIEW", "2-4", "right"]);
});

test("sending lasts until the own act has come back, whatever else happens", () => {
  const room = ownTurn();
  const sending = chosen(room, tile("1-4"), at("left"), confirm);

  const chatter = reduce(room, update(room, [{ type: "reacted", seat: 1, key: "nice" }], room.turn), "p-Ann");
  const done = reduce(chatter, update(chatter, [played(0, "1-4", "left", { ends: ENDS })], { seat: 1 }), "p-Ann");

  assert.equal(settle(sending, chatter, 5000), sending);
  assert.deepEqual(settle(sending, done, 6000), { ...NOTHING, since: 6000 });
});

test("an update that changes nothing for the chooser keeps the preview", () => {
  const room = ownTurn();
  const preview = chosen(room, tile("1-4"), at("left"));

  const chatter = reduce(room, update(room, [{ type: "away", seat: 1 }], room.turn), "p-Ann");

  assert.deepEqual(settle(preview, chatter, 5000), preview);
});

const tap = (name) => ({ ...at(name), by: "tap" });
const drop = (name) => ({ ...at(name), by: "drop" });

/** The state after these inputs of a person with those settings. */
function settled(settings, ...inputs) {
  const room = ownTurn();
  const start = settle(NOTHING, room, 0);
  const rules = { confirm: "always", dropPlays: false, ...settings };
  return inputs.reduce((choice, input) => step(choice, input, offersOf(room), 0, rules), start).state;
}

test("a tap on an end plays where that is set, a choice by the keyboard never does", () => {
  assert.equal(settled({ confirm: "tap" }, tile("1-4"), tap("left")), "SENDING");
  assert.equal(settled({ confirm: "tap" }, tile("1-4"), at("left")), "PREVIEW");
  assert.equal(settled({ confirm: "tap" }, tile("4-4")), "PREVIEW");
  assert.equal(settled({ confirm: "always" }, tile("1-4"), tap("left")), "PREVIEW");
});

test("a tile that fits one end is played at once where only a choice of ends is to be confirmed", () => {
  assert.equal(settled({ confirm: "choice" }, tile("4-4")), "SENDING");
  assert.equal(settled({ confirm: "choice" }, tile("1-4"), tap("left")), "PREVIEW");
});

test("a dropped tile is played at once where that is set", () => {
  assert.equal(settled({ dropPlays: true }, { type: "lift", tile: "1-4" }, drop("left")), "SENDING");
  assert.equal(settled({ dropPlays: true }, tile("1-4"), tap("left")), "PREVIEW");
  assert.equal(settled({}, { type: "lift", tile: "1-4" }, drop("left")), "PREVIEW");
});

test("before one's turn no setting plays anything", () => {
  const room = playingRoom({ hand: ["1-4", "4-4"], ends: ENDS, turn: { seat: 1 } });
  const easy = { confirm: "choice", dropPlays: true };

  const choice = step(settle(NOTHING, room, 0), tile("4-4"), offersOf(room), 0, easy);

  assert.deepEqual([choice.state, choice.end], ["WAIT", "right"]);
});

/** What the server advises. */
const advice = (action, reason = "scores_now") => ({ type: "hint", action, value: 1, reason });

test("what is advised is previewed, with the reason, and not sent", () => {
  const room = ownTurn();

  const choice = chosen(room, tile("4-4"), advice(room.turn.legal[1].action));

  assert.deepEqual(
    [choice.state, choice.tile, choice.end, choice.hint, choice.action],
    ["PREVIEW", "1-4", "right", "scores_now", null],
  );
});

test("advice for the opening is previewed in the middle", () => {
  const room = playingRoom({ turn: { seat: 0, legal: [play("1-4", null)] } });

  assert.equal(chosen(room, advice(room.turn.legal[0].action)).end, "start");
});

test("the reason goes with what was advised", () => {
  const room = ownTurn();
  const hinted = advice(room.turn.legal[0].action);

  const others = [[at("right")], [tile("4-4")], [cancel], [cancel, tile("1-4")]];

  assert.deepEqual(
    others.map((inputs) => chosen(room, hinted, ...inputs).hint),
    [null, null, null, null],
  );
});

test("advice to draw asks whether to draw", () => {
  const draw = { action: { type: "draw" } };
  const room = ownTurn([draw]);

  assert.deepEqual(
    [chosen(room, advice(draw.action, "must_draw")).state, chosen(room, advice(draw.action)).action],
    ["DRAW?", null],
  );
});

test("advice to knock leaves the knock to be confirmed", () => {
  const knock = { action: { type: "knock" } };

  assert.equal(chosen(ownTurn([knock]), advice(knock.action, "must_knock")).state, "KNOCK?");
});

test("advice that has come too late chooses nothing", () => {
  const choice = chosen(ownTurn(), advice({ type: "play", tile: "6-6", end: "left" }));

  assert.deepEqual([choice.state, choice.tile, choice.hint], ["TURN", null, null]);
});

test("a chosen tile is dropped where it fits no more, not where it was played or taken back", () => {
  const choice = chosen(ownTurn(), tile("4-4"));
  const isDroppedIn = (hand) => {
    const room = playingRoom({ hand, ends: [end("left", 6), end("right", 6)], turn: { seat: 1 } });
    return isDropped(choice, settle(choice, room, 2000), room);
  };

  assert.ok(isDroppedIn(["1-4", "4-4"]));
  assert.ok(!isDroppedIn(["1-4", "0-5"]));
});
