/**
 * What the page makes of what the server says: `reduce` folds messages about a room onto its last snapshot, `remembered`
 * keeps what the server does not tell again. All of it is pure.
 */

import { layOut } from "./geometry.js";
import { actsOf, branches, dealName, eventOf, isLocal, isPerson, matchName, playsOf } from "./state.js";
import { NOTHING } from "./turn.js";

/** The events that tell tiles to their holder alone. */
const HIDING = new Set(["deal_started", "drew"]);

/** Milliseconds between tiles that come one after the other, and until the last sets out, so that all lie after 1.5 s. */
const CATCH_UP_STEP = 200;
const LONGEST_CATCH_UP = 1200;

/** Milliseconds in which what has come may not have been drawn. */
const UNSEEN_FOR = 100;

/** Finished deals that a snapshot lists at most. */
const DEALS_LISTED = 100;

/** What a seat says that nobody has: all but its place and its tiles. */
const NOBODY = { player: null, bot: null, name: null, coming: null, state: "empty", ready: false };

/**
 * The room after `message`, a `snapshot`, the next `update` or an uncovered `hand`; anything else leaves it as it is.
 *
 * `player` is the public id of who sits at this browser (an update does not say who "you" are).
 */
export function reduce(room, message, player) {
  if (message.type === "snapshot") {
    const { type, re, ...snapshot } = message;
    return snapshot;
  }
  if (message.type === "hand") return uncovered(room, message);
  if (message.type !== "update" || !isNext(room, message)) return room;
  const folded = message.events.reduce((before, event) => fold(before, event, player), room);
  const next = { ...folded, epoch: message.epoch, seq: message.seq, turn: message.turn };
  return isLocal(next) && isForAnother(next) ? withCoveredHands(next) : next;
}

/** Whether updates before `message` are missing, so that the room has to be asked for again. */
export function isGap(room, message) {
  return message.type === "update" && room?.room === message.room && message.seq > room.seq + 1;
}

function isNext(room, message) {
  return room?.room === message.room && message.seq === room.seq + 1;
}

function fold(room, event, player) {
  return FOLDS[event.type]?.(room, event, player) ?? room;
}

const FOLDS = {
  match_started: (room, { commitment, next_commitment }) => ({
    ...room,
    waiting: false,
    seats: room.seats.map((seat) => ({ ...seat, tiles: 0 })),
    deal: null,
    deals: [],
    redo: 0,
    scores: room.scores.map(() => 0),
    practice: false,
    commitment,
    next_commitment,
  }),
  restarted: (room) => ({ ...room, practice: true }),
  deal_started: dealStarted,
  played: (room, event) => {
    const { ends, total, spinner, scores, seat, tile } = event;
    const deal = {
      ...withEvent(room, event),
      layout: { ends, total, spinner },
      hands: without(room.deal.hands, seat, tile),
    };
    return withSeat({ ...room, deal, scores, redo: 0 }, seat, ({ tiles }) => ({ tiles: tiles - 1 }));
  },
  drew: (room, event) => {
    const { hands } = room.deal;
    const own =
      event.tile && hands[event.seat] ? { ...hands, [event.seat]: [...hands[event.seat], event.tile] } : hands;
    const deal = { ...withEvent(room, event), stock: event.stock, hands: own };
    return withSeat({ ...room, deal, redo: 0 }, event.seat, ({ tiles }) => ({ tiles: tiles + 1 }));
  },
  knocked: (room, event) => ({ ...room, deal: withEvent(room, event), redo: 0 }),
  deal_ended: (room, event) => ({ ...room, phase: "deal_over", scores: event.scores, deal: withEvent(room, event) }),
  match_ended: (room, event) => ({
    ...room,
    phase: "match_over",
    scores: event.scores,
    deal: room.deal && withEvent(room, event),
  }),
  seated: (room, { seat, player: who, bot, name }, player) => {
    const state = who === null && bot === null ? "empty" : "present";
    const sitting = withSeat(room, seat, () => ({ ...NOBODY, player: who, bot, name, state }));
    return who === player ? withOwnSeat(sitting, seat) : withoutOwnSeat(sitting, seat);
  },
  left: (room, { seat }) => {
    const emptied = withSeat(room, seat, () => NOBODY);
    if (!room.you.seats.includes(seat)) return emptied;
    return withoutHand(withoutOwnSeat(isLocal(room) ? withCoveredHands(emptied) : emptied, seat), seat);
  },
  swapped,
  coming: (room, { seat, name }) => withSeat(room, seat, () => ({ coming: name })),
  away: (room, { seat }) => withSeat(room, seat, () => ({ state: "away" })),
  back: (room, { seat }) => withSeat(room, seat, () => ({ state: "present" })),
  bot_in: (room, { seat }) => withSeat(room, seat, () => ({ state: "bot_in" })),
  bot_out: (room, { seat }) => withSeat(room, seat, () => ({ state: "away" })),
  ready: (room, { seat }) => withSeat(room, seat, () => ({ ready: true })),
  paused: (room, { seat }) => ({ ...room, paused: inOrder([...new Set([...room.paused, seat])]) }),
  continued: (room, { seat }) => ({ ...room, paused: room.paused.filter((other) => other !== seat) }),
  asked: (room, { type, ...ask }) => ({ ...room, ask }),
  answered: (room, { seat, state }) => ({
    ...room,
    ask: room.ask && state === "open" ? { ...room.ask, need: room.ask.need.filter((other) => other !== seat) } : null,
  }),
  host: (room, { player: host }) => ({ ...room, host }),
  waiting: (room) => ({ ...room, waiting: true }),
  watchers: (room, { names }) => ({ ...room, watchers: names }),
  closed: (room, { reason }) => ({ ...room, closed: reason, turn: null }),
};

function dealStarted(room, event) {
  const { number, lead, tiles, stock, hand } = event;
  const { you } = room;
  const [own] = you.shown;
  const deal = {
    number,
    lead,
    stock,
    hands: hand ? { [own]: hand } : {},
    events: [event],
    layout: { ends: [], total: 0, spinner: null },
  };
  return {
    ...room,
    phase: "playing",
    waiting: false,
    deals: room.deal ? [...room.deals, summary(room.deal)].slice(-DEALS_LISTED) : room.deals,
    seats: room.seats.map((seat) => ({ ...seat, ready: false, tiles: tiles[seat.seat] })),
    you: isLocal(room) ? { ...you, shown: [] } : you,
    deal,
  };
}

/** A finished deal as `deals` lists it: no tiles, and of its plays only those that scored or would have. */
function summary({ number, lead, events }) {
  const { reason, seat, bonus, scores } = events.find((event) => event.type === "deal_ended");
  const scored = events
    .filter((event) => event.type === "played" && (event.points || event.dropped))
    .map(({ seat: by, total, points, dropped }) => ({ seat: by, total, points, dropped }));
  return { number, lead, reason, seat, bonus, scores, scored };
}

function swapped(room, { seats: [a, b] }) {
  const place = (seat) => ({ [a]: b, [b]: a })[seat] ?? seat;
  const seats = room.seats.map((seat) => {
    const { player, bot, name, coming, state, ready } = room.seats[place(seat.seat)];
    return { ...seat, player, bot, name, coming, state, ready };
  });
  const { you } = room;
  const moved = { ...you, seats: inOrder(you.seats.map(place)), shown: inOrder(you.shown.map(place)) };
  return { ...room, seats, you: moved };
}

/** The room after one of the hands at this device was asked for; the others are covered then (H3). */
function uncovered(room, { seat, hand, legal }) {
  if (!room?.you.seats.includes(seat)) return room;
  const { deal, turn, you, ...others } = withCoveredHands(room);
  return {
    ...others,
    you: { ...you, shown: [seat] },
    deal: { ...deal, hands: { [seat]: hand } },
    turn: legal ? { ...turn, legal } : turn,
  };
}

/** The room in which no hand is shown, and nothing that was told of one. */
export function withCoveredHands(room) {
  const { deal, turn, you } = room;
  return {
    ...room,
    you: { ...you, shown: [] },
    deal: deal && { ...deal, hands: {}, events: deal.events.map(asOthersSee) },
    turn: turn && withoutLegal(turn),
  };
}

function withoutLegal({ legal, ...turn }) {
  return turn;
}

/** Whether the turn is a person's whose hand is not shown here. */
function isForAnother({ turn, seats, you }) {
  if (!turn) return false;
  const seat = seats[turn.seat];
  return isPerson(seat) && seat.state !== "bot_in" && !you.shown.includes(seat.seat);
}

/** The room in which the hand of `seat` was taken away; who has no seat left is shown no hand at all. */
function withoutHand(room, seat) {
  if (!room.deal) return room;
  // Between matches seats may have been swapped: the hand is still under the seat to which it was dealt.
  const kept = Object.entries(room.deal.hands).filter(([holder]) => Number(holder) !== seat && room.you.seats.length);
  if (kept.length === Object.keys(room.deal.hands).length) return room;
  return {
    ...room,
    deal: { ...room.deal, hands: Object.fromEntries(kept), events: room.deal.events.map(asOthersSee) },
  };
}

function asOthersSee(event) {
  if (!HIDING.has(event.type)) return event;
  const { hand, tile, ...open } = event;
  return open;
}

function withEvent(room, event) {
  return { ...room.deal, events: [...room.deal.events, event] };
}

function withSeat(room, number, changes) {
  return { ...room, seats: room.seats.map((seat) => (seat.seat === number ? { ...seat, ...changes(seat) } : seat)) };
}

function withOwnSeat(room, seat) {
  return { ...room, you: { ...seatedAt([...room.you.seats, seat]), watching: false } };
}

function withoutOwnSeat(room, seat) {
  if (!room.you.seats.includes(seat)) return room;
  return { ...room, you: { ...room.you, ...seatedAt(room.you.seats.filter((other) => other !== seat)) } };
}

/** A hand is shown by itself where it is the only one at this device. */
function seatedAt(own) {
  const seats = inOrder(own);
  return { seats, shown: seats.length === 1 ? seats : [] };
}

function inOrder(seats) {
  return [...new Set(seats)].sort();
}

function without(hands, seat, tile) {
  return hands[seat] ? { ...hands, [seat]: hands[seat].filter((other) => other !== tile) } : hands;
}

/**
 * What the page remembers beside the room, as long as it stands: see `linesAfter` and `keptResults`; and since when
 * (milliseconds) the seat in turn has done nothing, or the deal has been over.
 */
export const NO_MEMORIES = { lines: [], results: {}, silentSince: 0 };

/** Nothing of a table, for an address that is another one. */
export const NO_TABLE = {
  room: null,
  choice: NOTHING,
  refusedCode: null,
  invited: false,
  swapping: null,
  sheet: null,
  resultOf: null,
  advice: null, // the last hint, with the `events` of the deal for which it was given
  mapped: null, // whose tiles the map shows
  reviews: [], // of deals that are over, each {deal, seat, answer}
  reviewing: false,
  seenLines: null,
  ...NO_MEMORIES,
  runsOut: null,
  reactions: {},
  said: [],
  counted: [], // what was added to the shuffle of the match that began last
};

/** The memories of `state` when its room has become `room` at the moment `now`, by a snapshot or an update. */
export function remembered({ room: before, lines, results, silentSince }, room, isSnapshot, now = performance.now()) {
  const sameMatch = before && matchName(before) === matchName(room);
  const sameDeal = sameMatch && dealName(before) === dealName(room);
  const sameChoice = sameDeal && before.deal?.events.length === room.deal?.events.length;
  return {
    silentSince: sameChoice ? silentSince : now,
    lines: linesAfter(sameDeal ? lines : [], actsOf(room.deal), room.seq, isSnapshot),
    results: keptResults(sameMatch ? results : {}, room),
  };
}

/** When the time for the choice in `turn`, told at the moment `now`, is over (milliseconds); null: it does not run. */
export function endOfTime(turn, now) {
  return turn?.left === undefined ? null : now + turn.left * 1000;
}

/** What is to be kept of the silence in the room of `state`; `ahead`: by how much `Date.now()` is. */
export function silenceOf({ room, silentSince }, ahead) {
  return { until: momentOf(room), since: silentSince + ahead };
}

/** Since when nothing has happened in `room`, by the silence that was `kept`; null where it was broken since. */
export function silentBefore(kept, room, ahead) {
  return kept?.until === momentOf(room) ? kept.since - ahead : null;
}

/** Names what has happened in the room until now. */
function momentOf(room) {
  return `${dealName(room)} ${room.deal?.events.length}`;
}

/**
 * The acts of a deal in the order in which they were seen, each {event, seq, struck}: what was taken back stays, and
 * `struck` is the step that took it back, else null. `seq` is the step of the act; null where a snapshot told it.
 *
 * `acts` are those that count now, after step `seq`. What a snapshot brings back, in the place where it was, is struck
 * no more.
 */
export function linesAfter(lines, acts, seq, isSnapshot) {
  const next = [];
  let counted = 0;
  let holds = true; // as long as what counted before counts still
  for (const line of lines) {
    const act = acts[counted];
    const fits = act !== undefined && isSameAct(line.event, act);
    holds &&= line.struck !== null || fits;
    const stays = fits && holds && (line.struck === null || isSnapshot);
    if (stays) counted += 1;
    next.push(stays ? { ...line, event: act, struck: null } : struckOut(line, seq));
  }
  const told = isSnapshot ? null : seq;
  return [...next, ...acts.slice(counted).map((event) => ({ event, seq: told, struck: null }))];
}

/** What was drawn lies in the boneyard again. */
function struckOut(line, seq) {
  return { ...line, event: asOthersSee(line.event), struck: line.struck ?? seq };
}

function isSameAct(one, other) {
  return (
    ["type", "seat", "end"].every((name) => one[name] === other[name]) &&
    (one.type !== "played" || one.tile === other.tile)
  );
}

/**
 * The deals of the running match whose results were seen here, by number: each is the room as it was then, with its
 * hands, its sums and the people who sat there.
 */
function keptResults(results, room) {
  const number = room.deal?.number ?? 0;
  const isOver = eventOf(room.deal, "deal_ended") !== undefined;
  const stillTrue = Object.entries(results).filter(([other]) => other < number || (isOver && other === `${number}`));
  return { ...(isOver ? { [number]: room } : {}), ...Object.fromEntries(stillTrue) };
}

/** The open tables after `message`, a `rooms` answer (all of them) or a push (what has changed among them). */
export function openTables(tables, { re, rooms, gone = [] }) {
  if (re) return rooms;
  const changed = new Map(rooms.map((table) => [table.room, table]));
  const known = new Set(tables.map(({ room }) => room));
  const stay = tables.filter(({ room }) => !gone.includes(room)).map((table) => changed.get(table.room) ?? table);
  return [...rooms.filter(({ room }) => !known.has(room)), ...stay];
}

/**
 * The tiles that are seen coming with `events` at `now` (milliseconds), each {tile, seat, delay (milliseconds), since}:
 * the newest one, with those of `fresh` that no picture may have shown yet; after a lost line all that were missed,
 * those that came before (`missed`) and these, one after the other. A tile that was `lying` there already stays.
 */
export function arriving(events, { now, fresh = [], missed = null, lying = null }) {
  const played = events
    .filter(({ type, tile }) => type === "played" && tile !== lying)
    .map(({ tile, seat }) => ({ tile, seat, delay: 0, since: now }));
  if (missed === null) return [...fresh.filter(({ since }) => now - since < UNSEEN_FOR), ...played.slice(-1)];
  const delay = (at) => Math.min(at * CATCH_UP_STEP, LONGEST_CATCH_UP);
  return [...missed, ...played].map((one, at) => ({ ...one, delay: delay(at) }));
}

/** Whether the tile that was played has made all others move. */
export function isRecentring({ type, tile }, room) {
  return type === "played" && layOut(playsOf(room.deal), branches(room)).recentred === tile;
}
