/** What this browser remembers of tables and matches: for coming back, and for looking at matches again. */

import { eventOf, isLocal, isPartner, ownSeat } from "./state.js";

/** Replays that are remembered at most, the newest. */
export const MOST_REPLAYS = 50;
const MOST_TABLES = 20;

/** Notes what there is to remember of `room` at the moment `now` (milliseconds since 1970) in the memory `kept`. */
export function note(kept, room, now) {
  if (ownSeat(room) === null) return;
  noteTable(kept, room, now);
  const ended = eventOf(room.deal, "match_ended");
  if (ended?.record && ended.winner !== null) noteReplay(kept, replayOf(room, ended, now));
}

/**
 * `tables`: code -> {game, partner (name or null), others (names), together, scores, isOver, at}, the newest of them.
 * `together`: the names of all where several share this device, else null.
 */
function noteTable(kept, room, now) {
  const company = room.seats.filter(({ seat, state }) => seat !== ownSeat(room) && state !== "empty");
  const partner = company.find(({ seat }) => isPartner(room, seat));
  const facts = {
    game: room.settings.game,
    partner: partner ? whoSits(partner) : null,
    others: company.filter((seat) => seat !== partner).map(whoSits),
    together: isLocal(room) ? room.seats.map(whoSits) : null,
    scores: room.scores,
    isOver: room.phase === "match_over",
    at: now,
  };
  const tables = Object.entries({ ...kept.read("tables"), [room.room]: facts });
  const newest = tables.sort(([, one], [, other]) => other.at - one.at).slice(0, MOST_TABLES);
  kept.write("tables", Object.fromEntries(newest));
}

/**
 * The name of who sits at `seat`. What a computer is called differs by language: of that {seat, name, bot} is kept, which
 * `plainName` says.
 */
function whoSits({ seat, name, bot }) {
  return name !== null && bot === null ? name : { seat, name, bot };
}

/** `replays`: [{id, game, names (by seat), scores, won, at}], newest first; `won` is null at a shared device. */
function noteReplay(kept, replay) {
  const known = kept.read("replays") ?? [];
  if (known.some(({ id }) => id === replay.id)) return;
  kept.write("replays", [replay, ...known].slice(0, MOST_REPLAYS));
}

function replayOf(room, { record, winner, scores }, now) {
  const won = isLocal(room) ? null : winner === room.seats[ownSeat(room)].side;
  return { id: record, game: room.settings.game, names: room.seats.map(whoSits), scores, won, at: now };
}
