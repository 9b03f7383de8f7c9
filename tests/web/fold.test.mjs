import assert from "node:assert/strict";
import { test } from "node:test";

import { arriving, isGap, openTables, reduce, withCoveredHands } from "../../server/web/fold.js";
import { isCovered, isOwnTurn, ownHand, ownSeat } from "../../server/web/state.js";
import { dealEnded, end, lobbyRoom, played, playingRoom, seat, sharedRoom, update } from "./rooms.mjs";

/** The room after one update with these events. */
function after(room, ...events) {
  return reduce(room, update(room, events), "p-Ann");
}

test("a snapshot becomes the room without its envelope", () => {
  const room = lobbyRoom();

  const taken = reduce(null, { type: "snapshot", re: "x-1", ...room }, "p-Ann");

  assert.deepEqual(taken, room);
});

test("an update brings its own seq, epoch and turn", () => {
  const room = playingRoom();

  const next = reduce(room, { ...update(room, [], { seat: 2 }), epoch: 9 }, "p-Ann");

  assert.deepEqual([next.seq, next.epoch, next.turn], [11, 9, { seat: 2 }]);
});

test("an update that was seen before changes nothing", () => {
  const room = playingRoom();

  const again = reduce(room, { ...update(room, [{ type: "knocked", seat: 1 }]), seq: room.seq }, "p-Ann");

  assert.equal(again, room);
});

test("an update after a hole changes nothing and is known as a gap", () => {
  const room = playingRoom();
  const late = { ...update(room, [{ type: "knocked", seat: 1 }]), seq: room.seq + 2 };

  assert.equal(reduce(room, late, "p-Ann"), room);
  assert.ok(isGap(room, late));
});

test("updates of another room change nothing and are no gap", () => {
  const room = playingRoom();
  const foreign = { ...update(room, []), room: "ZZZZZZ", seq: 99 };

  assert.equal(reduce(room, foreign, "p-Ann"), room);
  assert.ok(!isGap(room, foreign));
});

test("events that are not known are let pass", () => {
  const room = playingRoom();

  const next = after(room, { type: "weather", sunny: true });

  assert.deepEqual(next, { ...room, seq: 11 });
});

test("a play leaves the hand and the count, and brings layout and scores", () => {
  const room = playingRoom();
  const event = played(0, "1-4", null, {
    ends: [end("left", 1), end("right", 4)],
    total: 5,
    points: 1,
    scores: [1, 0],
  });

  const next = after(room, event);

  assert.deepEqual(next.deal.hands, { 0: ["4-4"] });
  assert.equal(next.seats[0].tiles, 4);
  assert.deepEqual(next.deal.layout, { ends: event.ends, total: 5, spinner: null });
  assert.deepEqual(next.scores, [1, 0]);
  assert.deepEqual(next.deal.events.at(-1), event);
});

test("a drawn tile is seen by its owner only", () => {
  const room = playingRoom();

  const own = after(room, { type: "drew", seat: 0, stock: 7, tile: "2-2" });
  const other = after(room, { type: "drew", seat: 1, stock: 7 });

  assert.deepEqual(own.deal.hands, { 0: ["1-4", "4-4", "2-2"] });
  assert.deepEqual(other.deal.hands, room.deal.hands);
  assert.deepEqual([other.seats[1].tiles, other.deal.stock], [6, 7]);
});

test("a new deal clears the table, keeps a summary of the last and takes readiness back", () => {
  const scoring = played(0, "1-4", null, { total: 5, points: 1, scores: [1, 0] });
  const idle = played(1, "4-6", "right", { total: 7, scores: [1, 0] });
  const dropped = played(0, "4-4", "left", { total: 9, dropped: 3, scores: [1, 0] });
  const room = after(after(playingRoom(), scoring, idle, dropped, dealEnded()), { type: "ready", seat: 0 });

  const next = after(
    room,
    { type: "lot", purpose: "lead", seat: 1 },
    { type: "deal_started", number: 2, lead: 1, tiles: [5, 5, 5, 5], stock: 8, hand: ["0-0"] },
  );

  assert.deepEqual(next.deals, [
    {
      number: 1,
      lead: 0,
      reason: "out",
      seat: 0,
      bonus: [1, 0],
      scores: [9, 4],
      scored: [
        { seat: 0, total: 5, points: 1, dropped: 0 },
        { seat: 0, total: 9, points: 0, dropped: 3 },
      ],
    },
  ]);
  assert.equal(next.phase, "playing");
  assert.equal(next.seats[0].ready, false);
  assert.deepEqual(next.deal.hands, { 0: ["0-0"] });
  assert.deepEqual(next.deal.layout, { ends: [], total: 0, spinner: null });
  assert.deepEqual(
    next.deal.events.map(({ type }) => type),
    ["deal_started"],
  );
});

test("a watcher gets no hand with a new deal", () => {
  const room = lobbyRoom({ you: { seats: [], shown: [], watching: true } });

  const next = after(room, { type: "deal_started", number: 1, lead: 1, tiles: [5, 5, 5, 5], stock: 8 });

  assert.deepEqual(next.deal.hands, {});
});

test("the end of a deal and of a match move the phase and the scores", () => {
  const over = after(playingRoom(), dealEnded());
  const won = after(over, { type: "match_ended", winner: 0, scores: [61, 4], seed: "s", record: "r" });

  assert.deepEqual([over.phase, over.scores], ["deal_over", [9, 4]]);
  assert.deepEqual([won.phase, won.scores], ["match_over", [61, 4]]);
  assert.equal(won.deal.events.at(-1).type, "match_ended");
});

test("another match begins with nothing of the last", () => {
  const over = after(playingRoom(), dealEnded(), { type: "match_ended", winner: 0, scores: [61, 4] });

  const next = after(over, { type: "match_started", commitment: "c2", next_commitment: "c3", entropy: [] });

  assert.deepEqual([next.deal, next.deals, next.scores], [null, [], [0, 0]]);
  assert.deepEqual([next.commitment, next.next_commitment], ["c2", "c3"]);
});

test("a match that begins again is practice, and the next one is not", () => {
  const started = { type: "match_started", commitment: "c2", next_commitment: "c3", entropy: [] };
  const again = after(playingRoom(), { type: "restarted", to: 2 });
  const next = after(again, started);

  assert.deepEqual([again.practice, next.practice], [true, false]);
});

test("who sits down is shown, and known as oneself by the player's id", () => {
  const room = lobbyRoom({
    you: { seats: [], shown: [], watching: true },
    seats: [seat(0, null), seat(1, "Bob"), seat(2, null), seat(3, null)],
  });

  const own = after(room, { type: "seated", seat: 2, player: "p-Ann", bot: null, name: "Ann" });
  const bot = after(own, { type: "seated", seat: 3, player: null, bot: "club", name: "Computer" });

  assert.deepEqual(own.you, { seats: [2], shown: [2], watching: false });
  assert.deepEqual([bot.seats[3].bot, bot.seats[3].state], ["club", "present"]);
  assert.deepEqual(bot.you, own.you);
});

test("who leaves empties the seat, and loses it where it was one's own", () => {
  const room = lobbyRoom();

  const next = after(room, { type: "left", seat: 0 });

  assert.deepEqual([next.seats[0].player, next.seats[0].name, next.seats[0].state], [null, null, "empty"]);
  assert.deepEqual(next.you.seats, []);
});

test("presence follows away, back, and a computer that steps in and out", () => {
  const states = [];
  let room = playingRoom();
  for (const type of ["away", "bot_in", "bot_out", "back"]) {
    room = after(room, { type, seat: 1 });
    states.push(room.seats[1].state);
  }

  assert.deepEqual(states, ["away", "bot_in", "away", "present"]);
});

test("swapped seats exchange who sits there, oneself included", () => {
  const room = lobbyRoom();

  const next = after(room, { type: "swapped", seats: [0, 1] });

  assert.deepEqual(
    next.seats.map(({ name }) => name),
    ["Bob", "Ann", "Cy", null],
  );
  assert.deepEqual(next.you.seats, [1]);
});

test("whose seat is taken away after a swap keeps no hand", () => {
  const over = after(playingRoom(), dealEnded(), { type: "match_ended", winner: 0, scores: [61, 4] });
  const swapped = after(over, { type: "swapped", seats: [0, 1] });

  const next = after(swapped, { type: "left", seat: 1 });

  assert.deepEqual(swapped.deal.hands, { 0: ["1-4", "4-4"] });
  assert.deepEqual(next.you.seats, []);
  assert.deepEqual(next.deal.hands, {});
  assert.ok(!next.deal.events.some((event) => "hand" in event));
});

test("host, watchers, waiting and a coming player are taken over", () => {
  const next = after(
    lobbyRoom(),
    { type: "host", player: "p-Bob" },
    { type: "watchers", names: ["Eve"] },
    { type: "waiting" },
    { type: "coming", seat: 3, player: "p-Fay", name: "Fay" },
  );

  assert.deepEqual([next.host, next.watchers, next.waiting, next.seats[3].coming], ["p-Bob", ["Eve"], true, "Fay"]);
});

const HAND = { type: "hand", room: "ABCDEF", seat: 2, hand: ["1-1"], legal: [] };

test("the hand that was asked for is shown, with what it can do", () => {
  const room = reduce(sharedRoom(2), HAND, "p-Ann");

  assert.ok(!isCovered(room) && isOwnTurn(room));
  assert.deepEqual([ownSeat(room), ownHand(room), room.turn], [2, ["1-1"], { seat: 2, legal: [] }]);
});

test("a hand in sight is put away with all that was told of it", () => {
  const shown = reduce(sharedRoom(2), HAND, "p-Ann");
  const drawn = reduce(shown, update(shown, [{ type: "drew", seat: 2, stock: 7, tile: "0-5" }], shown.turn), "p-Ann");
  assert.deepEqual(ownHand(drawn), ["1-1", "0-5"]);

  const room = withCoveredHands(drawn);

  assert.ok(isCovered(room) && !isOwnTurn(room));
  assert.ok(!JSON.stringify(room).includes("0-5") && !("legal" in room.turn));
});

test("a hand of a table that was left meanwhile is not taken up", () => {
  const room = lobbyRoom({ you: { seats: [], shown: [], watching: true } });

  assert.equal(reduce(room, HAND, "p-Ann"), room);
});

test("open tables are replaced by an answer and changed by a push, new ones first", () => {
  const [one, two, three] = ["AAAAAA", "BBBBBB", "CCCCCC"].map((room) => ({ room, free: 2 }));

  const answered = openTables(null, { type: "rooms", re: "x-1", rooms: [one, two] });
  const pushed = openTables(answered, { type: "rooms", rooms: [three, { ...two, free: 1 }], gone: ["AAAAAA"] });

  assert.deepEqual(answered, [one, two]);
  assert.deepEqual(pushed, [three, { ...two, free: 1 }]);
});

test("what was missed comes one after the other, and however much it is lies there after a second and a half", () => {
  const flight = 260;
  const missed = Array.from({ length: 27 }, (_, at) => played(at % 4, `tile ${at}`, "left"));

  const delays = (events) => arriving(events, { now: 0, missed: [] }).map(({ delay }) => delay);

  assert.deepEqual(delays(missed.slice(0, 3)), [0, 200, 400]);
  assert.equal(delays(missed).length, missed.length);
  assert.ok(Math.max(...delays(missed)) + flight <= 1500);
});
