/** The buttons below the hand. */

import { h } from "./keyed.js";
import { icon } from "./pictures.js";
import { ownSeat } from "./state.js";
import { t } from "./texts.js";
import { chosenOffer, DRAW, KNOCK, PREVIEW, SENDING } from "./turn.js";

/** The buttons below the hand; each keeps its place whatever it says. */
export function actions(scene, act) {
  const { room } = scene;
  return h(
    "div",
    { class: "actions", key: "actions", role: "group", "aria-label": t("actions") },
    room.phase === "playing" ? turnButtons(scene, act) : restButtons(room, act),
    ownSeat(room) === null ? watcherButtons(scene, act) : reactButton(act),
  );
}

function turnButtons({ room, choice, offers, online }, act) {
  if (ownSeat(room) === null) return [];
  if (choice.state === KNOCK) return primary("knock", t("knock"), online, () => act.choose({ type: "confirm" }));
  const ready = [PREVIEW, DRAW].includes(choice.state) && online;
  const label =
    choice.state === DRAW
      ? t("draw.one")
      : chosenOffer(choice, offers)
        ? t("play.tile", { tile: choice.tile })
        : t("play");
  return [
    primary("play", label, ready, () => act.choose({ type: "confirm" })),
    h(
      "button",
      {
        key: "cancel",
        type: "button",
        "data-testid": "cancel",
        disabled: !(choice.tile || choice.state === DRAW) || choice.state === SENDING,
        onclick: () => act.choose({ type: "cancel" }),
      },
      t("cancel"),
    ),
  ];
}

function primary(name, label, enabled, press) {
  return h(
    "button",
    { key: name, type: "button", class: "primary", "data-testid": name, disabled: !enabled, onclick: press },
    label,
  );
}

/** Between deals: ready for what comes, and the result again. */
function restButtons(room, act) {
  const own = ownSeat(room);
  const over = room.phase === "match_over";
  const ready =
    own === null ? [] : primary("next", t(over ? "again" : "next.short"), !room.seats[own].ready, act.ready);
  return [
    ready,
    h("button", { key: "result", type: "button", onclick: () => act.open(over ? "match" : "result") }, t("result")),
  ].flat();
}

function watcherButtons({ room, name }, act) {
  const isComing = room.seats.some(({ coming }) => coming === name);
  return [
    primary("sit", t(isComing ? "sit.next" : "sit"), !isComing, () => act.sit()),
    h("button", { key: "leave", type: "button", onclick: act.leave }, t("leave.short")),
  ];
}

function reactButton(act) {
  const open = () => act.open("reactions");
  return h(
    "button",
    { key: "react", type: "button", class: "react", "aria-label": t("react"), title: t("react"), onclick: open },
    icon("thinking"),
  );
}
