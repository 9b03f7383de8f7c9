/** Who sits at the table, and who watches. */

import { h } from "../keyed.js";
import { sideMark } from "../pictures.js";
import { isPartner, isYou, ownSeat } from "../state.js";
import { levelName, plainName, t } from "../texts.js";
import { dialog } from "./dialog.js";

/** Milliseconds without an act after which a computer may play for somebody, if all others agree. */
const SILENT = 300_000;

export function people(scene, act) {
  const { room } = scene;
  return dialog("people", t("sheet.people"), act, [
    h(
      "ul",
      { key: "seats", class: "people" },
      room.seats.map((seat) => h("li", { key: seat.seat }, person(scene, seat, act))),
    ),
    h("h3", { key: "title" }, t("people.spectators")),
    room.watchers.length
      ? h(
          "ul",
          { key: "spectators", class: "people" },
          room.watchers.map((name, number) => h("li", { key: number }, h("bdi", { class: "name" }, name))),
        )
      : h("p", { key: "none", class: "empty" }, t(room.settings.spectators ? "people.none" : "people.not_admitted")),
  ]);
}

function person(scene, seat, act) {
  const { room, me, muted } = scene;
  const { player } = seat;
  const words = [
    isYou(room, seat.seat) && t("tag.you"),
    isPartner(room, seat.seat) && t("tag.partner"),
    player !== null && player === room.host && t("tag.host"),
    seat.state === "away" && t("tag.away"),
    seat.state === "bot_in" && t("tag.bot_in"),
    seat.bot && levelName(seat.bot),
  ].filter(Boolean);
  return [
    sideMark(seat.side),
    h("bdi", { class: "name" }, seat.state === "empty" ? t("seat.empty") : plainName(seat)),
    words.map((word) => h("span", { key: word, class: "tag" }, word)),
    player !== null && player !== me.player ? muteButton(seat, muted.includes(player), act) : null,
    canBeCovered(scene, seat) ? coverButton(scene, seat, act) : null,
  ];
}

/** Whether somebody else's seat has been away or silent for so long that a computer may play it. */
function canBeCovered({ room, me, silentSince }, { seat, player, bot, state }) {
  if (ownSeat(room) === null || player === null || bot !== null || player === me.player) return false;
  const isSilent = room.turn?.seat === seat && performance.now() - silentSince >= SILENT;
  return ["playing", "deal_over"].includes(room.phase) && (state === "away" || (state === "present" && isSilent));
}

function coverButton({ room, online }, { seat, name }, act) {
  return h(
    "button",
    {
      key: "cover",
      type: "button",
      class: "small",
      "data-testid": `cover-${seat}`,
      disabled: room.ask !== null || !online,
      onclick: () => act.cover(seat),
    },
    t("people.cover", { name }),
  );
}

function muteButton({ player, name }, isMuted, act) {
  return h(
    "button",
    {
      key: "mute",
      type: "button",
      class: "small",
      "aria-pressed": String(isMuted),
      "aria-label": t("people.mute_name", { name }),
      onclick: () => act.mute(player, !isMuted),
    },
    t(isMuted ? "people.muted" : "people.mute"),
  );
}
