/** What has no room on a narrow screen. */

import { h } from "../keyed.js";
import { t } from "../texts.js";
import { dialog } from "./dialog.js";

export function menu({ room }, act) {
  const entry = (name) =>
    h("button", { key: name, type: "button", "data-sheet": name, onclick: () => act.open(name) }, t(`sheet.${name}`));
  return dialog("menu", t("table.title", { code: room.room }), act, [
    h("p", { class: "muted" }, t("game.to", { game: t(`game.${room.settings.game}`), target: room.settings.target })),
    h(
      "div",
      { class: "menu-list" },
      entry("scores"),
      entry("rules"),
      entry("people"),
      entry("invite"),
      entry("settings"),
      h("button", { type: "button", onclick: act.leave }, t("leave")),
    ),
  ]);
}
