/** The buttons under a result: ready for what comes, and how long the table waits. */

import { h, takeNoSlip } from "../keyed.js";
import { ownSeat } from "../state.js";
import { t } from "../texts.js";

const TICK = 250; // milliseconds

/** Going on from a deal or match that is over, since `scene.silentSince` (milliseconds of `performance.now()`). */
export function readyButtons({ room, silentSince }, act) {
  const own = ownSeat(room);
  const ready = room.seats.filter(isReady).length;
  const label = t(room.phase === "match_over" ? "again" : "next");
  const attrs = { key: "ready", type: "button", class: "primary", "data-testid": "ready", onclick: act.ready };
  return [
    own === null ? null : h("button", { ...attrs, disabled: room.seats[own].ready, attach: takeNoSlip }, label),
    h("span", { key: "count", class: "ready-count" }, t("ready.count", { ready, count: room.seats.length })),
    waits(room) ? countdown(room.settings.next_deal_after, silentSince) : null,
  ];
}

/** Nobody waits for computers, or for who is away. */
function isReady({ bot, state, ready }) {
  return ready || bot !== null || state !== "present";
}

/** Whether the next deal begins by itself: not where one person is alone, or several share the only device. */
function waits({ phase, seats }) {
  const people = seats.filter(({ player, bot, state }) => player !== null && !bot && state === "present");
  return phase === "deal_over" && new Set(people.map(({ player }) => player)).size > 1;
}

/** A bar that runs out when the next deal begins at the latest. */
function countdown(seconds, silentSince) {
  const left = () => Math.max(0, seconds - (performance.now() - silentSince) / 1000);
  const text = () => t("ready.latest", { count: Math.ceil(left()) });
  const run = (node) => {
    const timer = setInterval(() => {
      if (!node.isConnected) clearInterval(timer);
      node.style.setProperty("--left", String(left() / seconds));
      node.lastChild.firstChild.data = text();
    }, TICK);
  };
  return h(
    "span",
    { key: "countdown", class: "countdown", role: "timer", style: { "--left": String(left() / seconds) }, attach: run },
    h("span", { class: "bar", "aria-hidden": "true" }),
    h("span", {}, text()),
  );
}
