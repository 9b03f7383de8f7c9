/** The turn timer, at tables that have one: the time that is left for a choice, which runs out calmly. */

import { h } from "./keyed.js";
import { lineIcon } from "./pictures.js";
import { dealName, isOwnTurn, isPerson } from "./state.js";
import { formatNumber, t } from "./texts.js";

const LAST = 10; // seconds that are said, once a turn
const MINUTE = 60;
const FACE = "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17ZM12 7.5V12l3.5 2";

let ticking = null;
let told = null; // the choice whose end was said

/**
 * Whole seconds that the person in turn has for the choice; null where that is nobody, or there is no timer.
 *
 * `runsOut`: when it is over (milliseconds, as `now`), null while the table is paused: then all of the time is left.
 */
export function secondsLeft({ room, runsOut }, now = performance.now()) {
  const timer = room?.settings.turn_timer;
  const seat = room?.seats[room.turn?.seat];
  if (!timer || !seat || !isPerson(seat) || seat.state === "bot_in") return null;
  return Math.max(0, Math.ceil(runsOut === null ? timer : (runsOut - now) / 1000));
}

/** What is left of the turn, or null. */
export function clock(state) {
  const left = secondsLeft(state);
  if (left === null) return null;
  const looks = ["clock", left <= LAST && "last"].filter(Boolean).join(" ");
  return h(
    "span",
    { key: "clock", class: looks, role: "timer", "data-testid": "clock", "aria-label": t("clock", { count: left }) },
    lineIcon(FACE),
    h("b", { "aria-hidden": "true" }, clockText(left)),
  );
}

/** "1:05", in digits that all take the same room. */
export function clockText(seconds) {
  const rest = seconds % MINUTE;
  return `${formatNumber(Math.floor(seconds / MINUTE))}:${rest < 10 ? formatNumber(0) : ""}${formatNumber(rest)}`;
}

/** Has the page drawn again when a second is over, and tells who is in turn once that little is left. */
export function followClock({ room, runsOut }, announcer, redraw, now = performance.now()) {
  clearTimeout(ticking);
  const left = secondsLeft({ room, runsOut }, now);
  if (!left || runsOut === null) return;
  ticking = setTimeout(redraw, runsOut - now - (left - 1) * 1000);
  if (left > LAST || !isOwnTurn(room) || told === choiceOf(room)) return;
  told = choiceOf(room);
  announcer.say(t("clock", { count: left }));
}

/** Names the choice that is waited for. */
function choiceOf(room) {
  return `${dealName(room)} ${room.deal.events.length}`;
}
