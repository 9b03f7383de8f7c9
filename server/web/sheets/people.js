/** Who sits at the table, and who watches. */

import { h } from "../keyed.js";
import { sideMark } from "../pictures.js";
import { isPartner, isYou } from "../state.js";
import { levelName, plainName, t } from "../texts.js";
import { dialog } from "./dialog.js";

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

function person({ room, me, muted }, seat, act) {
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
  ];
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
