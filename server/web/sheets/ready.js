/** The buttons under a result: ready for what comes, and how long the table waits. */

import { h } from "../keyed.js";
import { ownSeat } from "../state.js";
import { t } from "../texts.js";

export function readyButtons({ room, motion }, act) {
  const own = ownSeat(room);
  const people = room.seats.filter(({ player, bot, state }) => player !== null && !bot && state === "present");
  const ready = people.filter((seat) => seat.ready).length;
  const wait = room.settings.next_deal_after;
  return [
    own === null
      ? null
      : h(
          "button",
          {
            type: "button",
            class: "primary",
            "data-testid": "ready",
            disabled: room.seats[own].ready,
            onclick: act.ready,
          },
          t(room.phase === "match_over" ? "again" : "next"),
        ),
    people.length > 1 ? h("span", { class: "ready-count" }, t("ready.count", { ready, count: people.length })) : null,
    wait && people.length > 1 && room.phase === "deal_over" ? countdown(wait, motion) : null,
  ];
}

/** A bar that runs out when the next deal starts at the latest. */
function countdown(seconds, motion) {
  const run = (node) =>
    motion &&
    node.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], {
      duration: seconds * 1000,
      fill: "forwards",
    });
  return h(
    "span",
    { class: "countdown" },
    h("span", { class: "bar", "aria-hidden": "true", attach: run }),
    h("span", {}, t("ready.latest", { count: seconds })),
  );
}
