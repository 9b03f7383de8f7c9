/**
 * What a person is about to do: tile, then end, then confirm. No single act on the board changes the match.
 *
 * States: WAIT (a tile may be prepared), TURN, TILE, PREVIEW, DRAW?, KNOCK?, SENDING. `step` moves between them by what
 * the person does, `settle` by what has happened at the table. Both are pure.
 */

import { pipsOf } from "./geometry.js";
import { isOwnTurn, lastActOf, ownActs, ownHand, ownSeat } from "./state.js";

export const WAIT = "WAIT";
export const TURN = "TURN";
export const TILE = "TILE";
export const PREVIEW = "PREVIEW";
export const DRAW = "DRAW?";
export const KNOCK = "KNOCK?";
export const SENDING = "SENDING";

/** Milliseconds after a preview has come in which a tap on it is taken for a slip. */
const SLIP = 250;

/**
 * Nothing chosen. `tile` and `end` are null or chosen, `lifted` whether the tile is being dragged, `carried` whether it
 * was dragged to that end, `since` is when the state was entered (milliseconds); `hint` is the reason why they were chosen, where the server was asked for one;
 * `action` and `acts` belong to SENDING: what was sent, and how much the person had done in the deal before.
 */
export const NOTHING = {
  state: WAIT,
  tile: null,
  end: null,
  lifted: false,
  carried: false,
  since: 0,
  hint: null,
  action: null,
  acts: null,
};

/** What the person can do now: {mine, acts, plays: [{tile, end, play}], draw, knock}, with the server's entries. */
export function offersOf(room) {
  const acts = ownActs(room);
  if (!isOwnTurn(room)) return { mine: false, acts, plays: prepared(room), draw: null, knock: null };
  const legal = room.turn.legal ?? [];
  const plays = legal.filter(({ action }) => action.type === "play");
  return {
    mine: true,
    acts,
    plays: plays.map((play) => ({ tile: play.action.tile, end: play.action.end ?? "start", play })),
    draw: legal.find(({ action }) => action.type === "draw") ?? null,
    knock: legal.find(({ action }) => action.type === "knock") ?? null,
  };
}

/** Before the turn only pips can be compared; the server says what is legal and worth what when the turn comes. */
function prepared(room) {
  if (room.phase !== "playing" || ownSeat(room) === null) return [];
  const { ends } = room.deal.layout;
  return ownHand(room).flatMap((tile) =>
    ends.filter(({ value }) => pipsOf(tile).includes(value)).map(({ end }) => ({ tile, end, play: null })),
  );
}

/** The ends that `tile` can go to. */
export function endsFor(offers, tile) {
  return offers.plays.filter((offer) => offer.tile === tile).map(({ end }) => end);
}

/** The offer that is chosen, or undefined. */
export function chosenOffer(choice, offers) {
  return offers.plays.find(({ tile, end }) => tile === choice.tile && end === choice.end);
}

/** What a person may settle for themselves: every act is confirmed, unless the settings of the page say otherwise. */
const CAREFUL = { confirm: "always", dropPlays: false };

/**
 * The choice after `input`: {type: "tile", tile}, {type: "lift", tile} (by dragging: its ends are lit, none is chosen),
 * {type: "end", end} (with `by`: "tap" or "drop", where it was done on the board), {type: "preview"} (a tap on the
 * translucent tile), {type: "draw"}, {type: "confirm"}, {type: "cancel"}; from the server
 * {type: "hint", action, reason} or {type: "refused"}.
 * `settings`: {confirm, dropPlays}, with which the person may have settled that some acts need no confirming.
 */
export function step(choice, input, offers, now, settings = CAREFUL) {
  const next = stepped(choice, input, offers, now);
  return needsNoConfirm(input, next, offers, settings) ? confirmed(next, offers, now) : next;
}

function needsNoConfirm({ type, by }, next, offers, { confirm, dropPlays }) {
  if (next.state !== PREVIEW || (type !== "tile" && !by)) return false;
  const hasChoice = endsFor(offers, next.tile).length > 1;
  if (confirm === "choice" && !hasChoice) return true;
  return by === "drop" ? dropPlays : by === "tap" && confirm === "tap";
}

function stepped(choice, input, offers, now) {
  if (choice.state === SENDING) return input.type === "refused" ? refused(choice, offers, now) : choice;
  switch (input.type) {
    case "tile":
      if (isOnlyChoice(choice, input.tile, offers)) return choice;
      return choice.tile === input.tile ? idle(offers, now) : picked(input.tile, offers, now);
    case "lift":
      return lifted(input.tile, offers, now);
    case "end":
      return choice.tile && endsFor(offers, choice.tile).includes(input.end)
        ? placed(choice, input.end, offers, now)
        : choice;
    case "preview":
      return now - choice.since < SLIP ? choice : confirmed(choice, offers, now);
    case "draw":
      return drawAsked(choice, offers, now);
    case "confirm":
      return confirmed(choice, offers, now);
    case "hint":
      return advised(input, offers, now);
    case "cancel":
      return choice.end ? withoutEnd(picked(choice.tile, offers, now), offers) : idle(offers, now);
    default:
      return choice;
  }
}

/** Whether there is nothing to choose but the tile that is chosen already, such as one that was drawn (A2). */
function isOnlyChoice(choice, tile, offers) {
  return tile !== choice.tile && offers.plays.length > 0 && offers.plays.every((offer) => offer.tile === choice.tile);
}

/** The choice as it stands after something has happened in the room. */
export function settle(choice, room, now) {
  const offers = offersOf(room);
  if (choice.state === SENDING && offers.mine && offers.acts === choice.acts) return choice;
  const { tile, end } = choice.state === SENDING ? NOTHING : choice;
  if (choice.lifted) return lifted(tile, offers, now);
  const wanted = tile ?? drawnTile(room, offers);
  const ends = endsFor(offers, wanted);
  if (!ends.length) return choice.state === DRAW && offers.draw ? choice : idle(offers, now);
  if (end && ends.includes(end)) return { ...choice, state: offers.mine ? PREVIEW : WAIT };
  return picked(wanted, offers, now);
}

/** Whether a tile that was chosen before what has happened in the room is not any more, though it is still in hand. */
export function isDropped(before, after, room) {
  const isHeld = before.action === null && ownHand(room).includes(before.tile);
  return isHeld && after.tile === null && room.phase === "playing";
}

/** A drawn tile that fits has to be played, and nothing else can be: it is chosen by itself. */
function drawnTile(room, offers) {
  const last = lastActOf(room.deal, ownSeat(room));
  return offers.mine && last?.type === "drew" ? (offers.plays[0]?.tile ?? null) : null;
}

function idle(offers, now) {
  const state = offers.knock ? KNOCK : offers.mine ? TURN : WAIT;
  return { ...NOTHING, state, since: now };
}

function picked(tile, offers, now) {
  const ends = endsFor(offers, tile);
  if (!ends.length) return idle(offers, now);
  const end = ends.length === 1 ? ends[0] : null;
  return { ...NOTHING, tile, end, state: !offers.mine ? WAIT : end ? PREVIEW : TILE, since: now };
}

/** In the air no end is chosen, even where there is one only; and what fits nowhere now may fit before it is let go. */
function lifted(tile, offers, now) {
  return { ...withoutEnd(picked(tile, offers, now), offers), tile, lifted: true };
}

/** What was advised is chosen and no more; nothing where it is not possible any more. */
function advised({ action, reason }, offers, now) {
  if (action.type !== "play") {
    const state = action.type === "draw" && offers.draw ? DRAW : idle(offers, now).state;
    return { ...NOTHING, state, hint: reason, since: now };
  }
  const end = action.end ?? "start";
  if (!endsFor(offers, action.tile).includes(end)) return idle(offers, now);
  return placed({ ...picked(action.tile, offers, now), end: null }, end, offers, now, reason);
}

function withoutEnd(choice, offers) {
  return choice.end ? { ...choice, end: null, state: offers.mine ? TILE : WAIT } : choice;
}

function placed(choice, end, offers, now, hint = null) {
  if (choice.end === end) return step(choice, { type: "preview" }, offers, now);
  return {
    ...choice,
    end,
    lifted: false,
    carried: choice.lifted,
    state: offers.mine ? PREVIEW : WAIT,
    hint,
    since: now,
  };
}

function drawAsked(choice, offers, now) {
  if (choice.state === DRAW) return step(choice, { type: "preview" }, offers, now);
  return offers.draw ? { ...NOTHING, state: DRAW, since: now } : choice;
}

function confirmed(choice, offers, now) {
  const entry = { [PREVIEW]: chosenOffer(choice, offers)?.play, [DRAW]: offers.draw, [KNOCK]: offers.knock }[
    choice.state
  ];
  return entry ? { ...choice, state: SENDING, action: entry.action, acts: offers.acts, since: now } : choice;
}

function refused(choice, offers, now) {
  const before = { ...choice, action: null, acts: null, since: now };
  if (choice.tile && offers.mine) return { ...before, state: chosenOffer(choice, offers) ? PREVIEW : TILE };
  return idle(offers, now);
}
