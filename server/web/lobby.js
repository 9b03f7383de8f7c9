/** The table before the match: who sits where, the invitation, ready and start. And the way in by an invite link. */

import { h } from "./keyed.js";
import { icon, sideMark, tilePicture } from "./pictures.js";
import { isHost, isPartner, ownSeat } from "./state.js";
import { plainName, t } from "./texts.js";

const NAME_LENGTH = 20;

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
      h("h1", {}, t("table.title", { code: room.room })),
    ),
    h(
      "p",
      { class: "lead" },
      t("game.to", { game: t(`game.${room.settings.game}`), target: room.settings.target }),
      room.settings.public ? h("span", { class: "tag" }, t("lobby.public")) : null,
    ),
    h(
      "section",
      { class: `lobby-seats of-${room.seats.length}`, "aria-label": t("seats") },
      room.seats.map((seat) => lobbySeat(state, seat, host, act)),
    ),
    h("p", { class: "lobby-state", role: "status" }, lobbyState(room, host)),
    h("div", { class: "lobby-buttons" }, startButtons(state, host, act)),
    room.watchers.length ? h("p", { class: "muted" }, t("watching.names", { names: room.watchers.join(", ") })) : null,
    h(
      "section",
      { class: "card", "aria-label": t("sheet.invite") },
      h("h2", {}, t("lobby.invite")),
      invitation(room, act),
    ),
  );
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
    bot && "cpu",
    state === "away" && "away",
    ready && "ready",
  ].filter(Boolean);
  return words.map((word) => h("span", { key: word, class: `tag ${word}` }, t(`tag.${word}`)));
}

function seatButtons({ room, swapping }, { seat, state, player }, host, act) {
  const small = (key, label, press) => h("button", { key, type: "button", class: "small", onclick: press }, label);
  const taken = state !== "empty";
  const own = ownSeat(room) === seat;
  if (swapping !== null)
    return swapping === seat
      ? small("stay", t("cancel"), () => act.swapFrom(null))
      : small("here", t("swap.here"), () => act.swapTo(seat));
  return [
    host && !taken && small("computer", t("add_computer"), () => act.addBot(seat)),
    !taken && small("sit", t("sit.here"), () => act.sit(seat)),
    host && taken && !own && small("remove", t(player === null ? "remove_computer" : "remove"), () => act.remove(seat)),
    host && taken && room.seats.length > 2 && small("swap", t("swap"), () => act.swapFrom(seat)),
  ].filter(Boolean);
}

function lobbyState(room, host) {
  const free = room.seats.filter(({ state }) => state === "empty").length;
  if (room.waiting) return t("lobby.looking", { present: room.seats.length - free, count: room.seats.length });
  if (free && !host) return t("lobby.waiting", { count: free });
  return host ? t(free ? "lobby.host_free" : "lobby.host_full", { count: free }) : t("lobby.host_starts");
}

function startButtons(state, host, act) {
  const { room } = state;
  const own = ownSeat(room);
  if (own === null)
    return [h("button", { key: "sit", type: "button", class: "primary", onclick: () => act.sit() }, t("sit"))];
  if (room.waiting) return waitingButtons(state, act);
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

/** While others are looked for anyone may have computers fill the table; after a while that is what is proposed. */
function waitingButtons({ looksLong }, act) {
  return [
    h(
      "button",
      {
        key: "fill",
        type: "button",
        class: looksLong ? "primary large" : "large",
        "data-testid": "ready",
        onclick: act.start,
      },
      t("lobby.fill"),
    ),
    h("button", { key: "cancel", type: "button", onclick: act.leave }, t("cancel")),
  ];
}

/** The head of a first screen: a piece of felt with some tiles. */
export function hero(title, text) {
  const tiles = [
    [3, 5],
    [6, 6],
    [1, 4],
  ].map((pips, number) => tilePicture(pips, { key: number }));
  return h(
    "header",
    { class: "hero" },
    h("div", { class: "hero-tiles", "aria-hidden": "true" }, tiles),
    h("h1", {}, title),
    h("p", {}, text),
  );
}

/** Under which name others will see this player. */
export function nameField({ me, nameProblem }, act) {
  return h(
    "label",
    { class: "field name-field" },
    h("span", {}, t("name")),
    h("input", {
      id: "name",
      "data-testid": "name",
      value: me.name,
      maxlength: NAME_LENGTH,
      autocomplete: "nickname",
      enterkeyhint: "done",
      placeholder: t("name.hint"),
      "aria-invalid": nameProblem ? "true" : null,
      "aria-describedby": nameProblem ? "name-note" : null,
      oninput: (event) => act.setName(event.currentTarget.value),
    }),
    nameProblem ? h("span", { class: "note", id: "name-note", role: "alert" }, t(nameProblem)) : null,
  );
}

/** Who comes by a link without a name says it first; who is known is seated at once. */
export function invited(state, act) {
  return h(
    "main",
    { class: "page invited", key: "invited" },
    hero(t("invited.title"), t("invited.text", { code: state.code })),
    h(
      "form",
      { class: "card", onsubmit: (event) => (event.preventDefault(), act.sit()) },
      nameField(state, act),
      h(
        "div",
        { class: "row" },
        h("button", { class: "primary large", "data-testid": "join" }, t("sit")),
        h("button", { type: "button", onclick: act.watch }, t("watch")),
      ),
    ),
  );
}

/** A table that is not there, or one that has no room. */
export function unknownTable(state, act) {
  const full = state.refusedCode === "room_full";
  return h(
    "main",
    { class: "page unknown", key: "unknown" },
    h("header", { class: "page-head" }, h("h1", {}, t(full ? "unknown.full" : "unknown.title"))),
    h("p", { class: "lead" }, t(full ? "unknown.full_text" : "unknown.text", { code: state.code })),
    h(
      "div",
      { class: "row" },
      full ? h("button", { type: "button", class: "primary", onclick: act.watch }, t("watch")) : null,
      h("button", { type: "button", onclick: () => act.go("/") }, t("home")),
    ),
  );
}

/** The link to the table as text to copy or share, and as a picture for a phone. */
export function invitation(room, act) {
  const link = `${location.origin}/t/${room.room}`;
  const share = typeof navigator.share === "function";
  return h(
    "div",
    { class: "invitation" },
    h("img", {
      class: "qr",
      "data-testid": "invite-qr",
      src: `/t/${room.room}/qr.svg`,
      alt: link,
      width: 148,
      height: 148,
      onerror: (event) => event.currentTarget.remove(),
    }),
    h("p", { class: "room-code" }, t("invite.code"), h("b", {}, room.room)),
    h("input", {
      class: "link-field",
      "data-testid": "invite-link",
      readonly: true,
      value: link,
      "aria-label": t("invite.link"),
      onfocus: (event) => event.currentTarget.select(),
    }),
    h("button", { type: "button", class: share ? "" : "primary", onclick: () => act.copy(link) }, t("copy")),
    share
      ? h("button", { type: "button", class: "primary", onclick: () => act.share(link) }, icon("share"), t("share"))
      : null,
    isThisDeviceOnly(location.hostname) ? h("p", { class: "note" }, t("invite.local")) : null,
  );
}

/** Whether a link with this host leads everybody to their own device. */
function isThisDeviceOnly(host) {
  return host === "localhost" || host.endsWith(".localhost") || host.startsWith("127.") || host === "[::1]";
}
