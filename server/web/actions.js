/** The buttons below the hand: the own turn, and the commands. */

import { h } from "./keyed.js";
import { icon } from "./pictures.js";
import { actsOf, isSolo, ownSeat } from "./state.js";
import { t } from "./texts.js";
import { chosenOffer, DRAW, KNOCK, PREVIEW, SENDING } from "./turn.js";

/** The buttons below the hand; each keeps its place whatever it says. */
export function actions(scene, act) {
  const { room } = scene;
  return h(
    "div",
    { class: "actions", key: "actions", role: "group", "aria-label": t("actions") },
    room.phase === "playing" ? turnButtons(scene, act) : restButtons(room, act),
    ownSeat(room) === null ? watcherButtons(scene, act) : commands(scene, act),
  );
}

function turnButtons({ room, choice, offers, online }, act) {
  const own = ownSeat(room);
  if (own === null) return [];
  if (room.seats[own].state === "bot_in") return primary("seat-back", t("seat.back"), online, () => act.sit());
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

/** What can be asked of the table, each a message of that name but `react` and `more`, which open a sheet. */
const COMMANDS = ["hint", "undo", "redo", "restart", "new_game", "react"];
const ON_NARROW_SCREENS = ["hint", "undo", "more"];
const AFTER_A_MATCH = ["react"];

function commands(scene, act) {
  const names = scene.narrow ? ON_NARROW_SCREENS : COMMANDS;
  const shown = scene.room.phase === "match_over" ? AFTER_A_MATCH : names;
  return h(
    "div",
    { class: "commands", key: "commands" },
    shown.map((name) => command(name, scene, act)),
  );
}

/** The commands that a narrow screen has in a sheet. */
export function moreCommands(scene, act) {
  return COMMANDS.filter((name) => !ON_NARROW_SCREENS.includes(name)).map((name) => command(name, scene, act, true));
}

/** A command that is not possible now stays where it is, and says why when it is pressed, or below its name. */
function command(name, scene, act, isExplained = false) {
  const obstacle = obstacleTo(name, scene);
  const what = t(obstacle ?? `command.${name}.text`);
  return h(
    "button",
    {
      key: name,
      type: "button",
      class: "command",
      "data-testid": name.replace("_", "-"),
      "aria-disabled": obstacle ? "true" : null,
      "aria-description": isExplained ? null : what,
      title: isExplained ? null : what,
      onclick: () => act.command(name),
    },
    icon(name),
    h("span", {}, t(`command.${name}`), isExplained && h("small", {}, what)),
  );
}

/** Why that command is not possible now, as a key of the catalogue; null where it is. */
export function obstacleTo(name, { room, offers, online }) {
  if (!(name in OBSTACLES)) return null;
  if (!online) return "reason.offline";
  return OBSTACLES[name](room, offers);
}

const OBSTACLES = {
  hint: (room, offers) => {
    if (!room.settings.hints && !isSolo(room)) return "reason.hints_off";
    return offers.mine ? null : "reason.not_in_turn";
  },
  undo: (room) => takingBack(room) ?? (canUndo(room) ? null : "reason.nothing_to_undo"),
  redo: (room) => takingBack(room) ?? (room.redo ? null : "reason.nothing_to_redo"),
  restart: (room) => (room.ask ? "reason.ask_open" : null),
  new_game: (room) => (room.ask ? "reason.ask_open" : null),
};

function takingBack(room) {
  if (room.phase === "match_over") return "reason.match_over";
  if (!room.settings.undo && !isSolo(room)) return "reason.undo_off";
  return room.ask ? "reason.ask_open" : null;
}

/** Over the network nothing is taken back past a draw or the end of a deal. */
function canUndo(room) {
  const acts = actsOf(room.deal);
  const last = acts.findLastIndex(({ seat }) => room.you.seats.includes(seat));
  if (isSolo(room)) return last >= 0 || room.deals.length > 0;
  return room.phase === "playing" && last > acts.findLastIndex(({ type }) => type === "drew");
}
