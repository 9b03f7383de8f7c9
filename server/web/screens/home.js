/** The first screen: all ways to a table. */

import { h } from "../keyed.js";
import { icon, lineIcon } from "../pictures.js";
import { LANGUAGES, t } from "../texts.js";
import { finishedMatches, unfinishedTables } from "./kept.js";
import { GAMES, SEATS } from "./form.js";
import { openTables } from "./tables.js";
import { hero, nameField } from "./welcome.js";

export { screenActs } from "./acts.js";

const PICTURES = {
  quick: "M13 3 5 14h6l-1 7 8-11h-6Z",
  create: "M4 7h16v10H4ZM8 17v3M16 17v3M12 4v0M9 12h6M12 9v6",
  computers: "M5 5h14v10H5ZM9 20h6M12 15v5M9.5 9v2M14.5 9v2",
  device: "M8 3h8v18H8ZM11 18h2M4 9l-2 3 2 3M20 9l2 3-2 3",
  join: "M14 9a4 4 0 1 1-1.2 2.8L4 12v4h3v-2h3",
};

export function home(state, act) {
  return h(
    "main",
    { class: "page home", key: "home", "data-testid": "home" },
    tools(state, act),
    hero(t("brand"), t("home.lead")),
    unfinishedTables(state.me.rooms, act),
    h("section", { class: "card", key: "name" }, nameField(state, act)),
    h(
      "nav",
      { class: "entries", "aria-label": t("home.play") },
      quick(state, act),
      joinByCode(state, act),
      entry("computers", "/new?computers", act),
      entry("create", "/new", act),
      entry("device", "/new?device", act),
    ),
    openTables(state, act),
    finishedMatches(act),
  );
}

/** What concerns the page itself: its language, and everything else that can be set. */
function tools({ settings }, act) {
  const spoken = document.documentElement.lang;
  return h(
    "div",
    { class: "home-tools", key: "tools" },
    h(
      "div",
      { class: "languages", role: "group", "aria-label": t("language") },
      Object.entries(LANGUAGES).map(([language, name]) =>
        h(
          "button",
          {
            key: language,
            type: "button",
            class: "quiet",
            lang: language,
            "aria-pressed": String((settings.language ?? spoken) === language),
            onclick: () => act.setSetting({ language }),
          },
          name,
        ),
      ),
    ),
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "data-testid": "settings",
        "aria-label": t("sheet.settings"),
        title: t("sheet.settings"),
        onclick: () => act.open("settings"),
      },
      icon("settings"),
    ),
  );
}

function entry(name, path, act) {
  return h(
    "button",
    { key: name, type: "button", class: "entry", "data-testid": name, onclick: () => act.go(path) },
    entryHead(name),
  );
}

function entryHead(name) {
  return h(
    "span",
    { class: "entry-head" },
    h("span", { class: "entry-icon" }, lineIcon(PICTURES[name])),
    h("b", {}, t(`home.${name}`)),
    h("span", { class: "muted" }, t(`home.${name}.text`)),
  );
}

function quick(state, act) {
  const games = GAMES.map((game) => [game, t(`game.${game}`)]);
  const seats = SEATS.map((count) => [count, t("players", { count })]);
  return h(
    "div",
    { key: "quick", class: "entry" },
    entryHead("quick"),
    h(
      "div",
      { class: "row" },
      select("quick-game", t("setup.game"), games, state.form.game, (game) => act.setForm({ game })),
      select("quick-seats", t("setup.seats"), seats, state.form.seats, (count) =>
        act.setForm({ seats: Number(count) }),
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
  const submit = (event) => {
    event.preventDefault();
    act.joinCode(new FormData(event.currentTarget).get("code"));
  };
  return h(
    "form",
    { key: "join", class: "entry", onsubmit: submit },
    entryHead("join"),
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
        "aria-describedby": state.codeWrong ? "code-note" : null,
      }),
      h("button", { class: "primary", "data-testid": "join" }, t("join")),
    ),
    state.codeWrong
      ? h("span", { class: "note", id: "code-note", role: "alert", attach: reveal }, t("code.wrong"))
      : null,
  );
}

/** Where the window is low, what is said below the last field would not be seen. */
function reveal(note) {
  note.scrollIntoView({ block: "nearest" });
}
