/** Asks once more before the seat in a match with others goes to a computer. */

import { h } from "../keyed.js";
import { t } from "../texts.js";
import { dialog } from "./dialog.js";

export function leave(_scene, act) {
  return dialog(
    "leave",
    t("leave.ask"),
    act,
    [h("p", {}, t("leave.ask.text")), h("p", { class: "muted" }, t("leave.ask.back"))],
    [
      h("button", { type: "button", class: "primary", "data-testid": "leave", onclick: act.giveUp }, t("leave.short")),
      h("button", { type: "button", onclick: act.closeSheet }, t("cancel")),
    ],
  );
}
