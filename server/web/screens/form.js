/** The form in which a table is set up: what can be chosen, what is wrong with it, and the settings that it makes. */

import { t } from "../texts.js";

export const GAMES = ["fives-threes", "all-fives", "block", "draw"];
export const SEATS = [2, 3, 4];
/** Seconds that a computer waits before it plays, by name. */
export const PACES = { slow: 1.4, normal: 0.7, fast: 0.25, none: 0 };
/** Seconds until a computer plays for somebody who is away. */
export const GRACES = [30, 60, 300];
/** Seconds after a deal until the next one begins at the latest. */
export const NEXT_DEALS = [10, 20, 60];

/** Seconds for a choice; null: as many as one likes. */
export const TURN_TIMERS = [null, 30, 60, 120];

const USUAL_LEVEL = "club";
const TARGETS = { "fives-threes": 61, block: 100, draw: 100 };
const MOST_TARGET = 1_000_000;

/** To which score a game goes as long as nobody chooses another. */
export function usualTarget({ game, seats }) {
  return TARGETS[game] ?? (seats === 2 ? 250 : 200);
}

/** The levels of computers that this server can seat, weakest first: it has written them into the page. */
export function levels() {
  return document.querySelector("meta[name=levels]").content.split(" ");
}

/** The level that was chosen, if only at another server, or else the usual one. */
export function levelOf({ bot }) {
  return levels().includes(bot) ? bot : USUAL_LEVEL;
}

/** So many seconds in words, in minutes where that is shorter. */
export function duration(count) {
  return count < 60 ? t("seconds", { count }) : t("minutes", { count: count / 60 });
}

/** How many people sit at this device: at least two, at most all. */
export function localSeats({ local, seats }) {
  return Math.min(Math.max(local, 2), seats);
}

/** The name of local seat `number` as long as nobody says another. */
export function usualName(number) {
  return t("seat", { number: number + 1 });
}

/** What is wrong with `form`, as {field, key} of a text, or null. */
export function problemOf({ target }) {
  const number = Number(target);
  const isFine = target === "" || (Number.isInteger(number) && number >= 1 && number <= MOST_TARGET);
  return isFine ? null : { field: "target", key: "setup.target.wrong" };
}

/** The settings of the table for the server. `company`: "friends", "computers" or "device". */
export function settingsOf(form, company) {
  const { game, seats, lead, bot_delay, target } = form;
  return {
    game,
    seats,
    lead: lead < seats ? lead : "lot",
    bot: levelOf(form),
    bot_delay,
    ...(target === "" ? {} : { target: Number(target) }),
    ...OF_COMPANY[company](form),
  };
}

const OF_COMPANY = {
  friends: ({ fill, spectators, undo, hints, absence, grace, next_deal_after, turn_timer, public: isPublic }) => ({
    fill,
    spectators,
    undo,
    hints,
    absence,
    grace,
    next_deal_after,
    turn_timer,
    public: isPublic,
  }),
  computers: () => ({}),
  device(form) {
    const local = localSeats(form);
    const others = Array.from({ length: local - 1 }, (_, place) => form.names[place]?.trim() || usualName(place + 1));
    return { local, names: others };
  },
};
