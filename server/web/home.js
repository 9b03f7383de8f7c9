/** The first screen, and the one that sets up a table. */

import { h } from "./keyed.js";
import { hero, nameField } from "./lobby.js";
import { icon, sideMark } from "./pictures.js";
import { formatNumber, t } from "./texts.js";

const GAMES = ["fives-threes", "all-fives", "block", "draw"];
const LEVELS = ["novice", "beginner", "club"];
const SEATS = [2, 3, 4];

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

/** Table setup; `state.solo` where only computers are wanted as company. */
export function setup(state, act) {
  const { form, solo } = state;
  return h(
    "main",
    { class: "page setup", key: "setup" },
    h(
      "header",
      { class: "page-head" },
      h(
        "button",
        { type: "button", class: "quiet", "aria-label": t("back"), onclick: () => act.go("/") },
        icon("back"),
      ),
      h("h1", {}, t(solo ? "home.computers" : "home.create")),
    ),
    h(
      "form",
      {
        class: "setup-form",
        onsubmit: (event) => {
          event.preventDefault();
          act.create();
        },
      },
      h("section", { class: "card" }, nameField(state, act)),
      choice(
        "game",
        GAMES.map((game) => [game, t(`game.${game}`), t(`game.${game}.text`)]),
        form,
        act,
        "wide",
      ),
      choice(
        "seats",
        SEATS.map((seats) => [seats, formatNumber(seats), t(seats === 4 ? "setup.partners" : "setup.single")]),
        form,
        act,
      ),
      choice(
        "lead",
        [["lot", t("setup.lot")], ...Array.from({ length: form.seats }, (_, seat) => [seat, leadName(seat)])],
        form,
        act,
      ),
      solo
        ? null
        : choice(
            "fill",
            [
              ["bots", t("setup.fill.bots")],
              ["wait", t("setup.fill.wait")],
            ],
            form,
            act,
          ),
      choice(
        "bot",
        LEVELS.map((level) => [level, t(`level.${level}`)]),
        form,
        act,
      ),
      solo
        ? null
        : choice(
            "public",
            [
              [false, t("setup.private")],
              [true, t("setup.public")],
            ],
            form,
            act,
          ),
      solo
        ? null
        : choice(
            "spectators",
            [
              [true, t("yes")],
              [false, t("no")],
            ],
            form,
            act,
          ),
      h(
        "div",
        { class: "setup-foot" },
        seatPreview(form),
        h("button", { class: "primary large", "data-testid": "create" }, t(solo ? "start" : "setup.create")),
      ),
    ),
  );
}

function leadName(seat) {
  return seat === 0 ? t("you") : t("seat", { number: seat + 1 });
}

/** A row of radio buttons for `form[name]`. `options`: [value, label, note?]. */
function choice(name, options, form, act, look = "") {
  return h(
    "fieldset",
    { key: name, class: `choice ${look}` },
    h("legend", {}, t(`setup.${name}`)),
    h(
      "div",
      { class: "options" },
      options.map(([value, label, note]) =>
        h(
          "label",
          { key: value, class: "option" },
          h("input", {
            type: "radio",
            name,
            value,
            checked: form[name] === value,
            onchange: () => act.setForm({ [name]: value }),
          }),
          h("span", { class: "option-text" }, h("b", {}, label), note ? h("small", {}, note) : null),
        ),
      ),
    ),
  );
}

/** Which seats make a side. */
function seatPreview({ seats }) {
  return h(
    "p",
    { class: "seat-preview", "aria-hidden": "true" },
    Array.from({ length: seats }, (_, seat) =>
      h("span", { key: seat }, sideMark(seats === 4 ? seat % 2 : seat), formatNumber(seat + 1)),
    ),
  );
}
