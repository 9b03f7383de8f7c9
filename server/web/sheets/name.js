/** Asks who watches under no name for one, before a seat is taken. */

import { h } from "../keyed.js";
import { nameField } from "../screens/welcome.js";
import { t } from "../texts.js";
import { dialog } from "./dialog.js";

export function name(scene, act) {
  const { seat } = scene.wish;
  const field = h(
    "form",
    { id: "naming", onsubmit: (event) => (event.preventDefault(), act.sit(seat)) },
    nameField(scene, act),
  );
  return dialog(
    "name",
    t("sit"),
    act,
    [field],
    [
      h("button", { form: "naming", class: "primary", "data-testid": "join" }, t("sit")),
      h("button", { type: "button", onclick: act.closeSheet }, t("cancel")),
    ],
  );
}
