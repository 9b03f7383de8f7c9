/** Sets up a table. */

import { h } from "../keyed.js";
import { icon, sideShape } from "../pictures.js";
import { formatNumber, t } from "../texts.js";
import {
  duration,
  GAMES,
  GRACES,
  levelOf,
  levels,
  localSeats,
  NEXT_DEALS,
  PACES,
  problemOf,
  SEATS,
  settingsOf,
  TURN_TIMERS,
  usualName,
  usualTarget,
} from "./form.js";
import { nameField, NAME_LENGTH } from "./welcome.js";

export { screenActs } from "./acts.js";

const TITLES = { friends: "home.create", computers: "home.computers", device: "home.device" };

/** Table setup; `state.company`: who else is wanted there. */
export function setup(state, act) {
  const { company } = state;
  return h(
    "main",
    { class: "page setup", key: `setup-${company}` },
    h(
      "header",
      { class: "page-head" },
      h(
        "button",
        { type: "button", class: "quiet", "aria-label": t("back"), onclick: () => act.go("/") },
        icon("back"),
      ),
      h("h1", { tabindex: -1 }, t(TITLES[company])),
    ),
    h(
      "form",
      { class: "setup-form", novalidate: true, onsubmit: (event) => submit(event, state, act) },
      h("section", { class: "card", key: "name" }, nameField(state, act)),
      company === "device" ? people(state.form, act) : null,
      theGame(state.form, company, act),
      company === "friends" ? theTable(state.form, act) : null,
      more(state, act),
      isElsewhere(state.formProblem) ? h("p", { class: "note", role: "alert" }, t(state.formProblem.key)) : null,
      h(
        "div",
        { class: "setup-foot", key: "foot" },
        seatPreview(state.form),
        h(
          "button",
          { class: "primary large", "data-testid": "create" },
          t(company === "friends" ? "setup.create" : "start"),
        ),
      ),
    ),
  );
}

/** Whether what is wrong is not said at its own field. */
function isElsewhere(problem) {
  return problem !== null && problem.field !== "target";
}

function submit(event, { form, company }, act) {
  event.preventDefault();
  const problem = problemOf(form);
  if (problem) act.blame(problem);
  else act.create(settingsOf(form, company), company !== "friends");
}

/** The game, who plays it, and who starts. */
function theGame(form, company, act) {
  const games = GAMES.map((game) => [game, t(`game.${game}`), t(`game.${game}.text`)]);
  const seats = SEATS.map((count) => [count, formatNumber(count), t(count === 4 ? "setup.partners" : "setup.single")]);
  const seatNames = Array.from({ length: form.seats }, (_, seat) => [seat, leadName(seat, form, company)]);
  const leads = [["lot", t("setup.lot")], ...seatNames];
  const computers = levels().map((level) => [level, t(`level.${level}`), t(`level.${level}.text`)]);
  return [
    choice("game", games, form, act, { look: "wide" }),
    choice("seats", seats, form, act),
    choice("lead", leads, { lead: form.lead < form.seats ? form.lead : "lot" }, act),
    choice("bot", computers, { bot: levelOf(form) }, act, { look: "half" }),
  ];
}

/** What a seat is called before anybody sits there. */
function leadName(seat, form, company) {
  if (seat === 0) return t("you");
  const isLocal = company === "device" && seat < localSeats(form);
  return (isLocal && form.names[seat - 1]?.trim()) || usualName(seat);
}

/** Who sits at this device, and their names. */
function people(form, act) {
  const local = localSeats(form);
  const counts = SEATS.filter((count) => count <= form.seats).map((count) => [count, formatNumber(count)]);
  const named = (place, name) => Object.assign([...form.names], { [place]: name });
  return h(
    "section",
    { class: "card", key: "people" },
    choice("local", counts, { local }, act, { look: "short" }),
    Array.from({ length: local - 1 }, (_, place) =>
      h(
        "label",
        { class: "field", key: place },
        h("span", {}, t("setup.name_of", { number: place + 2 })),
        h("input", {
          name: `names.${place}`,
          value: form.names[place] ?? "",
          maxlength: NAME_LENGTH,
          autocomplete: "off",
          placeholder: usualName(place + 1),
          oninput: (event) => act.setForm({ names: named(place, event.currentTarget.value) }),
        }),
      ),
    ),
    h("p", { class: "muted" }, t(local < form.seats ? "setup.local.computers" : "setup.local.text")),
  );
}

/** Who may come to the table, and what is allowed there. */
function theTable(form, act) {
  const fills = ["bots", "wait"].map((fill) => [fill, t(`setup.fill.${fill}`)]);
  return [
    choice("fill", fills, form, act, { look: "wide" }),
    h(
      "section",
      { class: "card switches", key: "switches", "aria-label": t("setup.allowed") },
      ["public", "spectators", "undo", "hints"].map((name) => onOff(name, form, act)),
    ),
  ];
}

/** What hardly anybody changes. */
function more({ form, company, formProblem }, act) {
  const paces = Object.entries(PACES).map(([name, seconds]) => [seconds, t(`pace.${name}`)]);
  return h(
    "details",
    { class: "card more", key: "more" },
    h("summary", {}, t("setup.more")),
    targetField(form, formProblem, act),
    choice("bot_delay", paces, form, act),
    company === "friends" ? amongFriends(form, act) : null,
  );
}

/** How long others are waited for, and how long a choice may take. */
function amongFriends(form, act) {
  const absences = ["bot", "wait"].map((absence) => [absence, t(`setup.absence.${absence}`)]);
  const timers = TURN_TIMERS.map((count) => [count, count === null ? t("setup.turn_timer.none") : duration(count)]);
  return [
    choice("turn_timer", timers, form, act),
    choice("next_deal_after", durations(NEXT_DEALS), form, act),
    choice("absence", absences, form, act, { look: "wide" }),
    form.absence === "bot" ? choice("grace", durations(GRACES), form, act) : null,
  ];
}

function durations(seconds) {
  return seconds.map((count) => [count, duration(count)]);
}

function targetField(form, problem, act) {
  const isWrong = problem?.field === "target";
  return h(
    "label",
    { class: "field", key: "target" },
    h("span", {}, t("setup.target")),
    h("input", {
      name: "target",
      value: form.target,
      inputmode: "numeric",
      autocomplete: "off",
      placeholder: t("setup.target.usual", { target: usualTarget(form) }),
      "aria-invalid": isWrong ? "true" : null,
      "aria-describedby": isWrong ? "target-note" : null,
      oninput: (event) => act.setForm({ target: event.currentTarget.value.trim() }),
    }),
    isWrong ? h("span", { class: "note", id: "target-note", role: "alert" }, t(problem.key)) : null,
  );
}

/** A row of radio buttons for `form[name]`. `options`: [value, label, note?]. */
function choice(name, options, form, act, { look = "" } = {}) {
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

/** A switch for `form[name]`. */
function onOff(name, form, act) {
  return h(
    "label",
    { key: name, class: "switch" },
    h("span", {}, h("b", {}, t(`setup.${name}`)), h("small", { class: "muted" }, t(`setup.${name}.text`))),
    h("input", {
      type: "checkbox",
      role: "switch",
      name,
      checked: form[name],
      onchange: (event) => act.setForm({ [name]: event.currentTarget.checked }),
    }),
  );
}

/** Where each seat is, clockwise from one's own at the bottom. */
const PLACES = {
  2: ["bottom", "top"],
  3: ["bottom", "left", "right"],
  4: ["bottom", "left", "top", "right"],
};
const POINTS = { bottom: [54, 55], left: [16, 32], top: [54, 9], right: [92, 32] };

/** Which seats make a side: a small table with the marks of the sides around it. */
function seatPreview({ seats }) {
  return h(
    "svg",
    { class: "seat-preview", viewBox: "0 0 108 64", "aria-hidden": "true" },
    h("rect", { x: 27, y: 18, width: 54, height: 28, rx: 7 }),
    PLACES[seats].map((place, seat) => {
      const [x, y] = POINTS[place];
      const side = sideOf(seat, seats);
      return h("g", { key: place, class: `side-${side}`, transform: `translate(${x} ${y})` }, sideShape(side));
    }),
  );
}

function sideOf(seat, seats) {
  return seats === 4 ? seat % 2 : seat;
}
