/** The settings of this browser. */

import { h } from "../keyed.js";
import { LANGUAGES, t } from "../texts.js";
import { dialog } from "./dialog.js";

export function settings({ settings: chosen }, act) {
  const languages = Object.entries(LANGUAGES);
  return dialog("settings", t("sheet.settings"), act, [
    group("look", [
      oneOf("language", [[null, t("language.browser")], ...languages], chosen, act, "pairs"),
      oneOf("theme", ["system", "light", "dark"].map(named("theme")), chosen, act),
      oneOf("motion", ["system", "reduced"].map(named("motion")), chosen, act),
      onOff("colouredPips", chosen, act),
      onOff("numerals", chosen, act),
    ]),
    group("playing", [
      oneOf("confirm", ["always", "choice", "tap"].map(named("confirm")), chosen, act, "rows"),
      onOff("dropPlays", chosen, act),
      onOff("positions", chosen, act),
      onOff("keys", chosen, act),
      h("button", { key: "all-keys", type: "button", onclick: () => act.open("keys") }, t("sheet.keys")),
    ]),
    group("sound", [
      onOff("sounds", chosen, act),
      ["soundTiles", "soundScores", "soundTurn", "soundReactions"].map((name) =>
        onOff(name, chosen, act, !chosen.sounds),
      ),
      volume(chosen, act),
      typeof navigator.vibrate === "function" ? onOff("vibration", chosen, act) : null,
    ]),
    group("others", [onOff("muteReactions", chosen, act)]),
  ]);
}

function named(setting) {
  return (value) => [value, t(`settings.${setting}.${value}`)];
}

function group(name, content) {
  return h("section", { key: name, class: "settings-group" }, h("h3", {}, t(`settings.${name}`)), content);
}

/** Radio buttons for the setting `name`. `options`: [value, label]. */
function oneOf(name, options, chosen, act, look = "") {
  return h(
    "fieldset",
    { key: name, class: `choice ${look}` },
    h("legend", {}, t(`settings.${name}`)),
    h(
      "div",
      { class: "options" },
      options.map(([value, label]) =>
        h(
          "label",
          { key: value, class: "option" },
          h("input", {
            type: "radio",
            name,
            value: String(value),
            checked: chosen[name] === value,
            onchange: () => act.setSetting({ [name]: value }),
          }),
          h("span", { class: "option-text", lang: name === "language" ? value : null }, label),
        ),
      ),
    ),
  );
}

/** A switch for the setting `name`. */
function onOff(name, chosen, act, disabled = false) {
  return h(
    "label",
    { key: name, class: "switch" },
    h("span", {}, t(`settings.${name}`)),
    h("input", {
      type: "checkbox",
      role: "switch",
      name,
      checked: chosen[name],
      disabled,
      onchange: (event) => act.setSetting({ [name]: event.currentTarget.checked }),
    }),
  );
}

function volume(chosen, act) {
  return h(
    "label",
    { key: "volume", class: "switch" },
    h("span", {}, t("settings.volume")),
    h("input", {
      type: "range",
      name: "volume",
      min: 0,
      max: 1,
      step: 0.1,
      value: String(chosen.volume),
      disabled: !chosen.sounds,
      onchange: (event) => act.setSetting({ volume: Number(event.currentTarget.value) }),
    }),
  );
}
