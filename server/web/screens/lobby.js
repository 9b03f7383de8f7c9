/** The table before the match: who sits where, the invitation, ready and start. */

import { h } from "../keyed.js";
import { icon, sideMark } from "../pictures.js";
import { invitation } from "../sheets/invite.js";
import { isHost, isPartner, ownSeat } from "../state.js";
import { levelName, listOf, plainName, t } from "../texts.js";
import { duration, levelOf, levels } from "./form.js";

export { screenActs } from "./acts.js";

/** The lobby of `state.room`. */
export function lobby(state, act) {
  const { room, me } = state;
  const host = isHost(room, me.player);
  return h(
    "main",
    { class: "page lobby", key: "lobby", "data-testid": "lobby" },
    h(
      "header",
      { class: "page-head" },
      h("button", { type: "button", class: "quiet", "aria-label": t("leave"), onclick: act.leave }, icon("back")),
      h("h1", { tabindex: -1 }, t("table.title", { code: room.room })),
      h(
        "nav",
        { "aria-label": t("sheets") },
        h("button", { type: "button", class: "quiet", onclick: () => act.open("rules") }, t("sheet.rules")),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": t("sheet.settings"),
            title: t("sheet.settings"),
            onclick: () => act.open("settings"),
          },
          icon("settings"),
        ),
      ),
    ),
    h(
      "p",
      { class: "lead" },
      h("span", {}, t("game.to", { game: t(`game.${room.settings.game}`), target: room.settings.target })),
      tableTags(room.settings),
    ),
    h(
      "section",
      { class: `lobby-seats of-${room.seats.length}`, "aria-label": t("seats") },
      room.seats.map((seat) => lobbySeat(state, seat, host, act)),
    ),
    h("p", { class: `lobby-state${room.waiting ? " looking" : ""}`, role: "status" }, lobbyState(room, host)),
    h("div", { class: "lobby-buttons" }, startButtons(state, host, act)),
    room.watchers.length
      ? h("p", { key: "watchers", class: "muted" }, t("watching.names", { names: listOf(room.watchers) }))
      : null,
    h(
      "section",
      { class: "card", "aria-label": t("sheet.invite") },
      h("h2", {}, t("lobby.invite")),
      invitation(room, act),
    ),
  );
}

/** What is allowed at this table, as far as it is not what one would expect. */
function tableTags({ public: isPublic, spectators, undo, hints, turn_timer: timer }) {
  const words = [
    isPublic && "lobby.public",
    timer && "lobby.turn_timer",
    !spectators && "lobby.no_spectators",
    !undo && "lobby.no_undo",
    !hints && "lobby.no_hints",
  ].filter(Boolean);
  const time = timer ? duration(timer) : "";
  return words.map((key) => h("span", { key, class: "tag" }, t(key, { time })));
}

function lobbySeat(state, seat, host, act) {
  const { room } = state;
  const own = ownSeat(room) === seat.seat;
  return h(
    "article",
    {
      key: seat.seat,
      class: `lobby-seat side-${seat.side}${own ? " own" : ""} ${seat.state}`,
      "data-testid": `seat-${seat.seat}`,
    },
    h(
      "p",
      { class: "who" },
      sideMark(seat.side),
      h("bdi", { class: "name" }, seat.state === "empty" ? t("seat.empty") : plainName(seat)),
      seatTags(state, seat),
    ),
    h("p", { class: "seat-buttons" }, seatButtons(state, seat, host, act)),
  );
}

function seatTags({ room }, { seat, player, bot, state, ready }) {
  const words = [
    ownSeat(room) === seat && "you",
    isPartner(room, seat) && "partner",
    player !== null && player === room.host && "host",
    state === "away" && "away",
    ready && "ready",
  ].filter(Boolean);
  return [
    words.map((word) => h("span", { key: word, class: `tag ${word}` }, t(`tag.${word}`))),
    bot ? h("span", { key: "cpu", class: "tag cpu" }, levelName(bot)) : null,
  ];
}

function seatButtons({ room, swapping, form }, { seat, state, player }, host, act) {
  const small = (key, label, press) => h("button", { key, type: "button", class: "small", onclick: press }, label);
  if (room.waiting) return [];
  const taken = state !== "empty";
  const own = ownSeat(room) === seat;
  if (swapping !== null)
    return swapping === seat
      ? small("stay", t("cancel"), () => act.swapFrom(null))
      : small("here", t("swap.here"), () => act.swapTo(seat));
  return [
    host && !taken && computerAdder(seat, form, act),
    !taken && small("sit", t("sit.here"), () => act.sit(seat)),
    host && taken && !own && small("remove", t(player === null ? "remove_computer" : "remove"), () => act.remove(seat)),
    host && taken && room.seats.length > 2 && small("swap", t("swap"), () => act.swapFrom(seat)),
  ].filter(Boolean);
}

/** Seats a computer, of the level that stands beside the button. */
function computerAdder(seat, form, act) {
  const chosen = levelOf(form);
  return h(
    "span",
    { key: "computer", class: "computer-adder" },
    h("button", { type: "button", class: "small", onclick: () => act.addBot(seat, chosen) }, t("add_computer")),
    h(
      "select",
      {
        "aria-label": t("setup.bot"),
        value: chosen,
        onchange: (event) => act.setForm({ bot: event.currentTarget.value }),
      },
      levels().map((level) =>
        h("option", { key: level, value: level, selected: level === chosen }, t(`level.${level}`)),
      ),
    ),
  );
}

function lobbyState(room, host) {
  const free = room.seats.filter(({ state }) => state === "empty").length;
  if (room.waiting) return t("lobby.looking", { present: room.seats.length - free, count: room.seats.length });
  if (free && !host) return t("lobby.waiting", { count: free });
  if (host && othersAreReady(room)) return t("lobby.all_ready");
  return host ? t(free ? "lobby.host_free" : "lobby.host_full", { count: free }) : t("lobby.host_starts");
}

/** Whether everybody has said that they are ready, but the host, who starts. */
function othersAreReady(room) {
  const others = room.seats.filter(({ player, bot }) => player !== null && bot === null && player !== room.host);
  return others.length > 0 && others.every(({ ready }) => ready);
}

function startButtons(state, host, act) {
  const { room } = state;
  const own = ownSeat(room);
  if (own === null) {
    const hasEmpty = room.seats.some(({ state: of }) => of === "empty");
    return hasEmpty
      ? [h("button", { key: "sit", type: "button", class: "primary", onclick: () => act.sit() }, t("sit"))]
      : [];
  }
  if (room.waiting) return waitingButtons(state, host, act);
  if (host)
    return [
      h(
        "button",
        { key: "start", type: "button", class: "primary large", "data-testid": "ready", onclick: act.start },
        t("start"),
      ),
    ];
  return [
    h(
      "button",
      {
        key: "ready",
        type: "button",
        class: "primary large",
        "data-testid": "ready",
        disabled: room.seats[own].ready,
        onclick: act.ready,
      },
      t(room.seats[own].ready ? "ready.done" : "ready"),
    ),
  ];
}

/**
 * While others are looked for computers may fill the table; after a while that is what is proposed. At an open table
 * anyone may have it so.
 */
function waitingButtons({ room, looksLong }, host, act) {
  const fill = h(
    "button",
    {
      key: "fill",
      type: "button",
      class: looksLong ? "primary large" : "large",
      "data-testid": "ready",
      onclick: act.start,
    },
    t("lobby.fill"),
  );
  return [
    host || room.settings.public ? fill : null,
    h("button", { key: "cancel", type: "button", class: "large", onclick: act.leave }, t("cancel")),
  ];
}
