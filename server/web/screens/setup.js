/** Sets up a table. */

import { h } from "../keyed.js";
import { icon, sideMark } from "../pictures.js";
import { formatNumber, t } from "../texts.js";
import { nameField } from "./welcome.js";

export const GAMES = ["fives-threes", "all-fives", "block", "draw"];
export const SEATS = [2, 3, 4];
const LEVELS = ["novice", "beginner", "club"];

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
