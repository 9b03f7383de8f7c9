/** While somebody reads the rules or the scores, the computers wait (T4). */

import { h } from "../keyed.js";
import { ownSeat } from "../state.js";
import { formatList, plainName, t } from "../texts.js";

const READING = ["rules", "scores"];

/** The room that was told that somebody reads here, or null. */
let told = null;

/**
 * Tells the server when a sheet to read is opened or closed. What was told ends with the line: over a new one it is
 * told anew, and nothing that was not answered is sent again.
 */
export function followReading({ room, sheet }, client) {
  if (!client.online) told = null;
  const reads = client.online && READING.includes(sheet) && ownSeat(room) !== null ? room.room : null;
  if (reads === told) return;
  const message = reads ? { type: "pause", room: reads } : { type: "continue", room: told };
  told = reads;
  client.socket.request(message, { lasting: false }).catch(() => {}); // gone from the table, or the line is cut
}

/** Says near the status line who keeps the computers waiting; null where nobody does. */
export function readingChip({ room }) {
  const hasComputers = room.seats.some(({ bot, state }) => bot !== null || state === "bot_in");
  if (!room.paused.length || !hasComputers || room.phase !== "playing") return null;
  return h("p", { key: "reading", class: "reading", "data-testid": "paused" }, readingText(room));
}

function readingText(room) {
  if (room.paused.some((seat) => room.you.seats.includes(seat))) return t("reading.own");
  const names = room.paused.map((seat) => plainName(room.seats[seat]));
  return t("reading", { names: formatList(names), count: names.length });
}
