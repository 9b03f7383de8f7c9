/** The way in: what greets a newcomer, the name, the door of an invite link, and the tables that cannot be entered. */

import { h } from "../keyed.js";
import { tilePicture } from "../pictures.js";
import { t } from "../texts.js";

export const NAME_LENGTH = 20;

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
    h("h1", { tabindex: -1 }, title),
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
  const head = hero(t("invited.title"), t("invited.text", { code: state.code }));
  return underName("invited", head, state, act, {
    enter: act.sit,
    buttons: [
      h("button", { class: "primary large", "data-testid": "join" }, t("sit")),
      h("button", { type: "button", onclick: act.watch }, t("watch")),
    ],
  });
}

/** A page on which one says one's name; what its form, with those `buttons`, then does is `enter`. */
function underName(name, head, state, act, { enter, buttons }) {
  return h(
    "main",
    { class: `page ${name}`, key: name },
    head,
    h(
      "form",
      { class: "card", onsubmit: (event) => (event.preventDefault(), enter()) },
      nameField(state, act),
      h("div", { class: "row" }, ...buttons),
    ),
  );
}

/** A table that lets nobody sit down. */
export function refused(state, act) {
  return state.refusedCode === "room_full"
    ? full(state, act)
    : unknown({ why: state.refusedCode, code: state.code }, act);
}

/** Where no seat is free one watches instead, under a name as well. */
function full(state, act) {
  const head = hero(t("unknown.room_full"), t("unknown.room_full.text", { code: state.code }));
  return underName("full", head, state, act, {
    enter: act.watch,
    buttons: [
      h("button", { class: "primary large" }, t("watch")),
      h("button", { type: "button", onclick: () => act.go("/") }, t("home")),
    ],
  });
}

/** A table that cannot be entered, or no page at all; `why` is the code of a text. */
export function unknown({ why, code }, act) {
  return h(
    "main",
    { class: "page unknown", key: "unknown" },
    hero(t(`unknown.${why}`), t(`unknown.${why}.text`, { code })),
    h(
      "div",
      { class: "row" },
      h("button", { key: "home", type: "button", class: "large", onclick: () => act.go("/") }, t("home")),
    ),
  );
}
