/** The commands that have no room below the hand on a narrow screen. */

import { moreCommands } from "../hand.js";
import { h } from "../keyed.js";
import { t } from "../texts.js";
import { dialog } from "./dialog.js";

export function more(scene, act) {
  return scene.narrow
    ? dialog("more", t("command.more"), act, h("div", { class: "command-list" }, moreCommands(scene, act)))
    : null;
}
