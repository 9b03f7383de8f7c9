/** What can be said at the table. */

import { h } from "../keyed.js";
import { icon, REACTIONS } from "../pictures.js";
import { t } from "../texts.js";
import { dialog } from "./dialog.js";

export function reactions(_, act) {
  return dialog(
    "reactions",
    t("react"),
    act,
    h(
      "div",
      { class: "reaction-grid", "data-testid": "reactions" },
      REACTIONS.map((key) =>
        h("button", { key, type: "button", onclick: () => act.react(key) }, icon(key), t(`reaction.${key}`)),
      ),
    ),
  );
}
