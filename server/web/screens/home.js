/** The first screen: all ways to a table. */

import { h } from "../keyed.js";
import { t } from "../texts.js";
import { GAMES, SEATS } from "./setup.js";
import { hero, nameField } from "./welcome.js";

export function home(state, act) {
  return h(
    "main",
    { class: "page home", key: "home", "data-testid": "home" },
    hero(t("brand"), t("home.lead")),
    resume(state, act),
    h("section", { class: "card" }, nameField(state, act)),
    h(
      "nav",
      { class: "entries", "aria-label": t("home.play") },
      entry("computers", "/new?computers", act),
      entry("create", "/new", act),
      quick(state, act),
      joinByCode(state, act),
    ),
  );
}

/** The tables where this player still has a seat. */
function resume({ me }, act) {
  if (!me.rooms.length) return null;
  return h(
    "section",
    { class: "resume", "aria-label": t("home.resume") },
    me.rooms.map((code) =>
      h(
        "button",
        { key: code, type: "button", class: "primary large", onclick: () => act.go(`/t/${code}`) },
        t("home.resume_at", { code }),
      ),
    ),
  );
}

function entry(name, path, act) {
  return h(
    "button",
    { key: name, type: "button", class: `entry ${name}`, "data-testid": name, onclick: () => act.go(path) },
    h("b", {}, t(`home.${name}`)),
    h("span", {}, t(`home.${name}.text`)),
  );
}

function quick(state, act) {
  return h(
    "div",
    { key: "quick", class: "entry quick" },
    h("b", {}, t("home.quick")),
    h("span", {}, t("home.quick.text")),
    h(
      "div",
      { class: "row" },
      select(
        "quick-game",
        t("setup.game"),
        GAMES.map((game) => [game, t(`game.${game}`)]),
        state.form.game,
        (game) => act.setForm({ game }),
      ),
      select(
        "quick-seats",
        t("setup.seats"),
        SEATS.map((seats) => [seats, t("players", { count: seats })]),
        state.form.seats,
        (seats) => act.setForm({ seats: Number(seats) }),
      ),
      h("button", { type: "button", class: "primary", "data-testid": "quick", onclick: act.quick }, t("home.quick.go")),
    ),
  );
}

function select(name, label, options, value, pick) {
  return h(
    "select",
    {
      key: name,
      name,
      "aria-label": label,
      value: String(value),
      onchange: (event) => pick(event.currentTarget.value),
    },
    options.map(([key, text]) => h("option", { key, value: key, selected: String(key) === String(value) }, text)),
  );
}

function joinByCode(state, act) {
  return h(
    "form",
    {
      key: "join",
      class: "entry join",
      onsubmit: (event) => {
        event.preventDefault();
        act.joinCode(new FormData(event.currentTarget).get("code"));
      },
    },
    h("b", {}, t("home.join")),
    h("span", {}, t("home.join.text")),
    h(
      "div",
      { class: "row" },
      h("input", {
        name: "code",
        "data-testid": "code",
        class: "code-field",
        autocomplete: "off",
        autocapitalize: "characters",
        spellcheck: "false",
        placeholder: "K7QM2X",
        "aria-label": t("code"),
        "aria-invalid": state.codeWrong ? "true" : null,
      }),
      h("button", { class: "primary", "data-testid": "join" }, t("join")),
    ),
    state.codeWrong ? h("span", { class: "note", role: "alert" }, t("code.wrong")) : null,
  );
}
