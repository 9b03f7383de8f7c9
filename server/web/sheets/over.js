/** Asks once more before a match is started over, or given up for another one. */

import { h } from "../keyed.js";
import { isSolo } from "../state.js";
import { t } from "../texts.js";
import { dialog } from "./dialog.js";

export const restart = (scene, act) => over("restart", scene, act);
export const newGame = (scene, act) => over("new_game", scene, act);

function over(name, { room, online }, act) {
  const yes = {
    type: "button",
    class: "primary",
    "data-testid": "over",
    disabled: !online,
    onclick: () => act.startOver(name),
  };
  return dialog(
    name,
    t(`over.${name}`),
    act,
    [h("p", {}, t(`over.${name}.text`)), isSolo(room) ? null : h("p", { class: "muted" }, t("over.all_asked"))],
    [
      h("button", yes, t(isSolo(room) ? `over.${name}.yes` : "over.ask")),
      h("button", { type: "button", onclick: act.closeSheet }, t("cancel")),
    ],
  );
}
