/** Rooms and messages for the tests, as short as they can be said. */

/** A seat of a snapshot with a person called `name`, or an empty one. */
export function seat(number, name, changes = {}) {
  const empty = name === null;
  return {
    seat: number,
    side: number % 2,
    player: empty ? null : `p-${name}`,
    bot: null,
    name,
    coming: null,
    state: empty ? "empty" : "present",
    ready: false,
    tiles: 0,
    ...changes,
  };
}

/** A room for four with Ann (this browser) at seat 0, in its lobby. */
export function lobbyRoom(changes = {}) {
  return {
    room: "ABCDEF",
    epoch: 7,
    seq: 10,
    settings: { game: "fives-threes", seats: 4, target: 61 },
    host: "p-Ann",
    seats: [seat(0, "Ann"), seat(1, "Bob"), seat(2, "Cy"), seat(3, null)],
    you: { seats: [0], shown: [0], watching: false },
    phase: "lobby",
    waiting: false,
    practice: false,
    scores: [0, 0],
    deals: [],
    deal: null,
    turn: null,
    paused: [],
    ask: null,
    redo: 0,
    watchers: [],
    commitment: "c1",
    next_commitment: "c2",
    ...changes,
  };
}

/** The same with a deal under way: Ann holds `hand`, `ends` are open, and `turn` is as in a snapshot. */
export function playingRoom({ hand = ["1-4", "4-4"], ends = [], turn = null, ...changes } = {}) {
  const started = { type: "deal_started", number: 1, lead: 0, tiles: [5, 5, 5, 5], stock: 8, hand };
  return lobbyRoom({
    phase: "playing",
    seats: ["Ann", "Bob", "Cy", "Di"].map((name, number) => seat(number, name, { tiles: 5 })),
    deal: {
      number: 1,
      lead: 0,
      stock: 8,
      hands: { 0: hand },
      events: [started],
      layout: { ends, total: 0, spinner: null },
    },
    turn,
    ...changes,
  });
}

/** Ann and Wei at one device, at the seats 1 and 2; seat 3 is a computer's. */
export function sharedRoom(turn, changes = {}) {
  const room = playingRoom({ turn: { seat: turn } });
  return {
    ...room,
    seats: [seat(0, "Bob"), seat(1, "Ann"), seat(2, "Wei", { player: "p-Ann" }), seat(3, "Computer", { bot: "club" })],
    you: { seats: [1, 2], shown: [], watching: false },
    deal: { ...room.deal, hands: {} },
    ...changes,
  };
}

/** The next update of `room`. */
export function update(room, events, turn = null) {
  return { type: "update", room: room.room, epoch: room.epoch, seq: room.seq + 1, events, turn };
}

/** An open end. */
export function end(name, value, counts = value) {
  return { end: name, value, counts };
}

/** An entry of `turn.legal` for a play. */
export function play(tile, where, changes = {}) {
  const outcome = { total: 0, parts: [], points: 0, out_bonus: 0, accepted: true, after: 0, wins: false, ends: [] };
  return { action: { type: "play", tile, end: where }, ...outcome, ...changes };
}

/** A `played` event. */
export function played(number, tile, where, changes = {}) {
  const rest = { ends: [], total: 0, spinner: null, parts: [], points: 0, dropped: 0, scores: [0, 0] };
  return { type: "played", seat: number, tile, end: where, ...rest, ...changes };
}

/** A `deal_ended` event. */
export function dealEnded(changes = {}) {
  const hands = [[], ["1-2"], ["5-6"], []];
  return {
    type: "deal_ended",
    reason: "out",
    seat: 0,
    bonus: [1, 0],
    dropped: 0,
    hands,
    scores: [9, 4],
    next_lead: 1,
    ...changes,
  };
}
