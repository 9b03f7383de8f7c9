/**
 * The state of the page, and the only place where it changes.
 *
 * The functions answer the questions that the screens ask about a room, the fold of what the server has said; `Store`
 * holds everything and says when it has changed.
 */

const BRANCHING = new Set(["all-fives"]);
const COUNTING = new Set(["fives-threes", "all-fives"]);
const EXACT = new Set(["fives-threes"]);
const DRAWING = new Set(["all-fives", "draw"]);

/** The events that are a seat's own doing in a deal. */
const ACTS = new Set(["played", "drew", "knocked"]);

/** Events after which the match is what it was after an earlier step of it. */
export const TAKE_BACKS = new Set(["undone", "redone", "restarted"]);

/** Whether the game of the room lets its first double open two more arms. */
export function branches(room) {
  return BRANCHING.has(room.settings.game);
}

/** Whether plays score in this game, so that totals matter. */
export function counts(room) {
  return COUNTING.has(room.settings.game);
}

/** Whether tiles are drawn from the boneyard in this game. */
export function draws(room) {
  return DRAWING.has(room.settings.game);
}

/** Whether the target has to be hit exactly. */
export function isExact(room) {
  return EXACT.has(room.settings.game);
}

/** Whether several people share this device, so that hands are shown one at a time (H3). */
export function isLocal(room) {
  return room.you.seats.length > 1;
}

/** Whether only people at this device play, beside computers: nobody need consent to anything (U1). */
export function isSolo(room) {
  return new Set(room.seats.filter(isPerson).map(({ player }) => player)).size <= 1;
}

/** Whether a person holds the seat, there or not. */
export function isPerson({ player, bot }) {
  return player !== null && bot === null;
}

/** Whether somebody who comes now gets a seat: at once, or a computer's when the deal is over. */
export function hasFreeSeat({ seats }) {
  return seats.some(({ player, coming }) => player === null && coming === null);
}

/** Whether the device is handed on: no hand is shown until somebody asks for it. */
export function isCovered(room) {
  return isLocal(room) && room.phase === "playing" && !room.you.shown.length;
}

/** Whether a shared device goes to somebody else between `before` and `room`. */
export function isHandedOn(before, room) {
  if (!isCovered(room) || !room.you.seats.includes(room.turn?.seat)) return false;
  return !isCovered(before) || before.turn?.seat !== room.turn.seat;
}

/**
 * The seat that the page is about, or null for somebody who watches: the own one; where several people share the
 * device, the one whose hand is shown, or who is next to act.
 */
export function ownSeat(room) {
  const { seats, shown } = room.you;
  return shown[0] ?? (isLocal(room) ? handsInTurn(room) : seats)[0] ?? null;
}

/** The seats at this device, who is to act or the next one after that first. */
export function handsInTurn({ you, turn }) {
  const from = turn?.seat ?? 0;
  return [...you.seats.filter((seat) => seat >= from), ...you.seats.filter((seat) => seat < from)];
}

/** Whether `seat` is what the page calls "you". */
export function isYou(room, seat) {
  return !isLocal(room) && seat === ownSeat(room);
}

/** Whether this browser hides the reactions of that seat. */
export function isMuted({ room, settings, muted }, seat) {
  return seat !== ownSeat(room) && (settings.muteReactions || muted.includes(room.seats[seat].player));
}

/** The tiles in hand, as dealt and drawn. */
export function ownHand(room) {
  return room.deal?.hands[ownSeat(room)] ?? [];
}

/** Whether it is the turn of the hand that is shown. */
export function isOwnTurn(room) {
  return room.phase === "playing" && room.turn !== null && room.you.shown.includes(room.turn.seat);
}

/** The seats in turn order, beginning after one's own; those who watch see seat 0 last. */
export function otherSeats(room) {
  const first = ownSeat(room) ?? room.seats.length - 1;
  const inOrder = room.seats.map((_, number) => room.seats[(first + 1 + number) % room.seats.length]);
  return ownSeat(room) === null ? inOrder : inOrder.slice(0, -1);
}

/** The seats of `side`, in order. */
export function seatsOf(room, side) {
  return room.seats.filter((seat) => seat.side === side);
}

export function isPartner(room, seat) {
  const own = ownSeat(room);
  return own !== null && own !== seat && room.seats[own].side === room.seats[seat].side;
}

export function isHost(room, player) {
  return room.host === player;
}

/** Names the match: no other has what the server has promised for this one. */
export function matchName({ room, commitment }) {
  return `${room} ${commitment}`;
}

/** Names the deal on the table. */
export function dealName(room) {
  return `${matchName(room)} ${room.deal?.number ?? 0}`;
}

/** The plays of this deal, oldest first. */
export function playsOf(deal) {
  return (deal?.events ?? []).filter((event) => event.type === "played");
}

/** The tile that was laid last at `end`; in All Fives the spinner at its bare sides. */
export function lastTileAt(deal, end) {
  const plays = playsOf(deal);
  const last = plays.findLast((play) => play.end === end)?.tile;
  return last ?? (end === "up" || end === "down" ? deal.layout.spinner : plays[0].tile);
}

export function isTakeBack({ type }) {
  return TAKE_BACKS.has(type);
}

/** What was played, drawn and knocked in this deal, oldest first. */
export function actsOf(deal) {
  return (deal?.events ?? []).filter(({ type }) => ACTS.has(type));
}

/** The last thing that `seat` did in this deal, or undefined. */
export function lastActOf(deal, seat) {
  return actsOf(deal).findLast((event) => event.seat === seat);
}

/** How many tiles that seat has drawn since it did anything else. */
export function drawnBy(deal, number) {
  const own = actsOf(deal).filter(({ seat }) => seat === number);
  return own.length - 1 - own.findLastIndex(({ type }) => type !== "drew");
}

/** Which deal it is and how often its own seat has acted in it: differs before and after each act. */
export function ownActs(room) {
  const acts = actsOf(room.deal).filter(({ seat }) => seat === ownSeat(room));
  return `${dealName(room)}/${acts.length}`;
}

/** The event of this type in the deal, or undefined. */
export function eventOf(deal, type) {
  return deal?.events.findLast((event) => event.type === type);
}

/** The score of `side` before its last gain, however many deals ago that was. */
export function scoreBefore(room, side) {
  const now = room.scores[side];
  const earlier = (room.deal?.events ?? []).filter((event) => event.scores).map((event) => event.scores[side]);
  const dealStart = room.deals.at(-1)?.scores[side] ?? 0;
  return [dealStart, ...earlier].findLast((score) => score !== now) ?? now - lastGain(room, side);
}

/** What `side` gained last in the deals that are over; 0 if nothing. */
function lastGain(room, side) {
  for (const { bonus, scored } of room.deals.toReversed()) {
    const points = scored.findLast((play) => room.seats[play.seat].side === side && play.points)?.points ?? 0;
    const gain = isExact(room) ? points : bonus[side] || points; // there the point for going out is one with its play
    if (gain) return gain;
  }
  return 0;
}

/** What the server has advised for the choice that is still to be made, or null. */
export function adviceFor({ room, advice }) {
  return advice && room?.turn?.legal && isOwnTurn(room) && advice.events === room.deal.events ? advice : null;
}

/** Why that command is not possible now, as a key of the catalogue; null where it is. */
export function obstacleTo(name, { room, offers, online }) {
  if (!(name in OBSTACLES)) return null;
  if (!online) return "reason.offline";
  return OBSTACLES[name](room, offers);
}

const OBSTACLES = {
  hint: (room, offers) => {
    if (!room.settings.hints && !isSolo(room)) return "reason.hints_off";
    return offers.mine ? null : "reason.not_in_turn";
  },
  undo: (room) => takingBack(room) ?? (canUndo(room) ? null : "reason.nothing_to_undo"),
  redo: (room) => takingBack(room) ?? (room.redo ? null : "reason.nothing_to_redo"),
  restart: (room) => (room.ask ? "reason.ask_open" : null),
  new_game: (room) => (room.ask ? "reason.ask_open" : null),
};

function takingBack(room) {
  if (room.phase === "match_over") return "reason.match_over";
  if (!room.settings.undo && !isSolo(room)) return "reason.undo_off";
  return room.ask ? "reason.ask_open" : null;
}

/** Over the network nothing is taken back past a draw or the end of a deal. */
function canUndo(room) {
  const acts = actsOf(room.deal);
  const last = acts.findLastIndex(({ seat }) => room.you.seats.includes(seat));
  if (isSolo(room)) return last >= 0 || room.deals.length > 0;
  return room.phase === "playing" && last > acts.findLastIndex(({ type }) => type === "drew");
}

/** Holds the state of the page and tells its listener of each change. */
export class Store {
  #listener = () => {};

  constructor(state) {
    this.state = state;
  }

  /** Merges `changes` (an object, or a function from the state to one) into the state. */
  change(changes) {
    this.state = { ...this.state, ...(typeof changes === "function" ? changes(this.state) : changes) };
    this.#listener(this.state);
  }

  onChange(listener) {
    this.#listener = listener;
  }
}

/** Why nobody gets in at a table, as codes and reasons of the server. */
const CLOSED_DOORS = new Set(["no_such_room", "room_full", "no_spectators", "too_many_spectators"]);

/** Whether nobody gets in at a table that has refused so. */
export function isShut({ code, reason }) {
  return CLOSED_DOORS.has(reason ?? code);
}

const MOST_LEFT = 5;

/**
 * The tables that this browser has to do with: where it has seats, which it has left in a match that goes on, and for
 * this tab alone, which it watches.
 */
export class KnownTables {
  constructor({ store, kept, keptHere }) {
    Object.assign(this, { store, kept, keptHere });
  }

  /** Whether who comes to that table in this tab watches it. */
  isWatched(code) {
    return this.keptHere.read(`watch.${code}`);
  }

  /** Who comes to that table in this tab from now on watches it, or does so no more. */
  watch(code, watching) {
    this.keptHere.write(`watch.${code}`, watching);
  }

  /** There are seats at all these tables, and at no others. */
  remember(codes) {
    const known = [...new Set(codes)];
    this.kept.write("rooms", known);
    for (const code of known) this.offerNoMore(code);
    this.store.change(({ me }) => ({ me: { ...me, rooms: known } }));
  }

  /** There is no seat at that table any more. */
  forget(code) {
    this.watch(code, false);
    this.remember(this.store.state.me.rooms.filter((other) => other !== code));
  }

  /** The codes of those that were left and may be come back to, newest first. */
  get left() {
    return this.kept.read("left") ?? [];
  }

  /** That table was left in a match, which goes on. */
  offer(code) {
    this.kept.write("left", [code, ...this.left.filter((other) => other !== code)].slice(0, MOST_LEFT));
  }

  /** There is no way back to that table, or somebody has taken it. */
  offerNoMore(code) {
    if (!this.left.includes(code)) return;
    this.kept.write(
      "left",
      this.left.filter((other) => other !== code),
    );
    this.store.change({});
  }
}

const isText = (value) => typeof value === "string";
const isList = (value) => Array.isArray(value);
const isMap = (value) => typeof value === "object" && value !== null && !isList(value);
const isTexts = (value) => isList(value) && value.every(isText);
const isPlain = (value) => value === null || typeof value !== "object";
const isTable = (value) => isMap(value) && isList(value.others) && isList(value.scores);
const isReplay = (value) => isMap(value) && isList(value.names) && isList(value.scores) && Number.isFinite(value.at);

/** What may stand under these names: a value of another make has been damaged, and is as good as none. */
const MAKES = {
  name: isText,
  token: isText,
  rooms: isTexts,
  left: isTexts,
  muted: isList,
  tables: (value) => isMap(value) && Object.values(value).every(isTable),
  replays: (value) => isList(value) && value.every(isReplay),
  settings: (value) => isMap(value) && Object.values(value).every(isPlain),
  form: (value) =>
    isMap(value) && Object.entries(value).every(([name, of]) => (name === "names" ? isList : isPlain)(of)),
};

/** Values under names that outlast the page, or only this visit where the browser keeps nothing. */
export function memory(place) {
  const here = new Map();
  return {
    read(name) {
      try {
        const kept = JSON.parse(place().getItem(`doublesix.${name}`));
        return (isSound(name, kept) ? kept : null) ?? here.get(name) ?? null;
      } catch {
        return here.get(name) ?? null;
      }
    },
    write(name, value) {
      here.set(name, value);
      try {
        place().setItem(`doublesix.${name}`, JSON.stringify(value));
      } catch {
        // Storage is blocked or full: the value lasts for this visit.
      }
    },
  };
}

function isSound(name, value) {
  return MAKES[name]?.(value) ?? true;
}
