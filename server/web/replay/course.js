/**
 * The course of a finished match: its record (docs/records.md) folded into a list of stops to look at.
 *
 * The fold is that of the table (state.js), for somebody who sees every hand.
 */

import { linesAfter, reduce } from "../fold.js";
import { actsOf, TAKE_BACKS } from "../state.js";

const ACTS = new Set(["played", "drew", "knocked"]);
const STOPS = new Set([...ACTS, ...TAKE_BACKS, "deal_started"]);

/** The numbers of acts, by their events. */
const numbers = new WeakMap();

const NOBODY = "nobody"; // no id of a player: nobody here has a seat in the match

/** What a seat says that was taken before the match began. */
const SEATED = { coming: null, state: "present", ready: false, tiles: 0 };

/**
 * The stops of `record`, oldest first: one for each deal, act and take-back.
 *
 * Each is {kind (the type of its first event), seq (its step), number (acts until then), name (for the address), before,
 * room, events}. `room` has the hands of all seats and the turn of who acts next, `before` is the room before `events`.
 */
export function courseOf(record) {
  const stops = [];
  const after = new Map();
  let room = firstRoom(record);
  let number = 0;
  for (const { seq, events } of record.steps) {
    for (const event of events) {
      const before = room;
      const isBack = TAKE_BACKS.has(event.type);
      room = isBack ? takenBack(before, after.get(event.to)) : happened(before, event);
      if (ACTS.has(event.type)) numbers.set(event, (number += 1));
      if (STOPS.has(event.type)) stops.push({ kind: event.type, seq, number, before, room, events: [event] });
      else if (stops.length) {
        // What happens between two stops belongs to the first one: the end of the deal, comings and goings.
        const last = stops.at(-1);
        stops[stops.length - 1] = { ...last, room, events: [...last.events, event] };
      }
    }
    after.set(seq, room);
  }
  return withTurns(withNames(stops));
}

/** The moves of the deal until the stop at `place`, as the table lists them (state.js), each with its number. */
export function linesAt(stops, place) {
  const deal = ({ room }) => room.deal.number;
  const start = 1 + stops.slice(0, place).findLastIndex((stop) => deal(stop) !== deal(stops[place]));
  const lines = stops
    .slice(start, place + 1)
    .reduce((before, { kind, seq, room }) => linesAfter(before, actsOf(room.deal), seq, TAKE_BACKS.has(kind)), []);
  return lines.map((line) => ({ ...line, number: numbers.get(line.event) }));
}

/** The table before the match, seen by somebody without a seat. */
function firstRoom({ id, game, seats, settings, players, scores }) {
  const sides = scores.length;
  return {
    room: id,
    epoch: 0,
    seq: 0,
    settings: { ...settings, game, seats },
    host: null,
    seats: players.map((who, seat) => ({ ...SEATED, ...who, seat, side: seat % sides })),
    you: { seats: [], shown: [], watching: true },
    phase: "lobby",
    waiting: false,
    scores: scores.map(() => 0),
    deals: [],
    deal: null,
    turn: null,
    paused: [],
    ask: null,
    redo: 0,
    watchers: [],
  };
}

function happened(before, event) {
  const message = { type: "update", room: before.room, epoch: 0, seq: before.seq + 1, events: [event], turn: null };
  const room = reduce(before, message, NOBODY);
  return event.type === "deal_started" ? { ...room, deal: { ...room.deal, hands: { ...event.hands } } } : room;
}

/** The match is what it was; who sits at the table is as it is. */
function takenBack(now, then) {
  const seats = now.seats.map((seat) => ({ ...seat, tiles: then.seats[seat.seat].tiles, ready: false }));
  return { ...then, seq: now.seq + 1, seats };
}

/** The names of stops: the number of the act, and behind a point how many stops without an act have come since. */
function withNames(stops) {
  const first = new Map();
  return stops.map((stop, place) => {
    if (!first.has(stop.number)) first.set(stop.number, place);
    const since = place - first.get(stop.number);
    return { ...stop, name: since ? `${stop.number}.${since}` : `${stop.number}` };
  });
}

/** The rules are with the server, so the next act says whose turn it was. */
function withTurns(stops) {
  return stops.map((stop, place) => {
    const next = stops[place + 1];
    const isAct = stop.room.phase === "playing" && next && ACTS.has(next.kind);
    return isAct ? { ...stop, room: { ...stop.room, turn: { seat: next.events[0].seat } } } : stop;
  });
}

/** The place of the stop called `name` in `stops`, or null. */
export function placeOf(stops, name) {
  const place = stops.findIndex((stop) => stop.name === name);
  return place < 0 ? null : place;
}

/** The place of the deal that begins before (-1) or after (+1) the one at `place`; at its beginning, the one before. */
export function dealFrom(stops, place, step) {
  const isStart = ({ kind }) => kind === "deal_started";
  const found =
    step < 0
      ? stops.slice(0, place).findLastIndex(isStart)
      : stops.findIndex((stop, at) => at > place && isStart(stop));
  if (found >= 0) return found;
  return step < 0 ? 0 : stops.length - 1;
}
