/** The keys of the table: what they do anywhere at it, and the sheet that lists all of them. */

import { BOARD_KEYS } from "../camera.js";
import { HAND_KEYS } from "../hand.js";
import { h, plainKey } from "../keyed.js";
import { POSITION_KEYS } from "../positions.js";
import { ownSeat } from "../state.js";
import { t } from "../texts.js";
import { ALOUD_KEYS } from "./aloud.js";
import { dialog } from "./dialog.js";

/** Each {keys, name, press}. Letters are small, "Shift+" stands before one with that key. */
export const GAME_KEYS = [
  { keys: ["d"], name: "draw", press: (act) => act.choose({ type: "draw" }) },
  { keys: ["k"], name: "knock", press: (act) => act.knock() },
  { keys: ["h"], name: "hint", press: (act) => act.command("hint") },
  { keys: ["u"], name: "undo", press: (act) => act.command("undo") },
  { keys: ["Shift+u"], name: "redo", press: (act) => act.command("redo") },
  { keys: ["s"], name: "scores", press: (act) => act.open("scores") },
  { keys: ["r"], name: "rules", press: (act) => act.open("rules") },
  { keys: ["n"], name: "next", press: (act, room) => waitsForOwn(room) && act.ready() },
  { keys: ["?"], name: "help", press: (act) => act.open("keys") },
];

const AREAS = [
  ["hand", HAND_KEYS],
  ["positions", POSITION_KEYS],
  ["board", [...BOARD_KEYS, { keys: ["Enter"], name: "play" }]],
  ["game", GAME_KEYS],
  ["aloud", ALOUD_KEYS],
];

/** Keys in a row that are listed one by one. */
const MOST_CAPS = 4;

/** How keys are written that have no sign of their own. */
const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", "-": "−", Escape: "Esc" };

/** Whether a result waits for the person here. */
function waitsForOwn(room) {
  const own = ownSeat(room);
  return own !== null && room.phase !== "playing" && !room.seats[own].ready;
}

/** Does what the pressed key means anywhere at the table, if it means anything; `state` is that of the page. */
export function press(event, { room, runsOut }, act) {
  const key = meant(event);
  const entry = [...GAME_KEYS, ...ALOUD_KEYS].find(({ keys }) => keys.includes(key));
  if (entry?.text) act.say(entry.text(room, runsOut));
  else entry?.press(act, room);
}

/** The key in the words of the tables. */
function meant(event) {
  const key = plainKey(event);
  return /^[a-z]$/i.test(key) ? `${event.shiftKey ? "Shift+" : ""}${key.toLowerCase()}` : key;
}

/** The list of all keys. */
export function keys({ settings }, act) {
  return dialog("keys", t("sheet.keys"), act, [
    settings.keys ? null : h("p", { key: "off", class: "note" }, t("keys.off")),
    AREAS.map(([area, entries]) =>
      h(
        "section",
        { key: area },
        h("h3", {}, t(`keys.${area}`)),
        h(
          "ul",
          { class: "keys" },
          entries.map((entry) =>
            h("li", { key: entry.name }, caps(entry), h("span", {}, t(`keys.${area}.${entry.name}`))),
          ),
        ),
      ),
    ),
  ]);
}

/** "1 – 9", or each key. */
function caps({ keys: all }) {
  const signs = [...new Set(all.map(sign))];
  const shown = signs.length > MOST_CAPS ? [signs[0], "–", signs.at(-1)] : signs;
  return h(
    "span",
    { class: "caps" },
    shown.map((name) => (name === "–" ? name : h("kbd", { key: name }, name))),
  );
}

function sign(key) {
  if (key === " ") return t("keys.space");
  if (key.startsWith("Shift+")) return `Shift+${sign(key.slice("Shift+".length))}`;
  return SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
