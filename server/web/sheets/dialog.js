/** What every sheet over the table is: a native dialog with a title, a body that scrolls, and buttons. */

import { h } from "../keyed.js";
import { icon } from "../pictures.js";
import { hasCome, isMeant } from "../screens/slips.js";
import { t } from "../texts.js";

/** A native dialog: Escape and the cross close it, focus goes back to where it was. */
export function dialog(name, title, act, body, buttons = []) {
  return h(
    "dialog",
    {
      key: `sheet-${name}`,
      class: `sheet ${name}`,
      "data-testid": `sheet-${name}`,
      "aria-labelledby": `${name}-title`,
      attach(node) {
        hasCome(node);
        node.showModal();
      },
      detach: (node) => node.close(),
      // A browser may close it without asking: where nothing was pressed since it closed the one before.
      onclose: ({ currentTarget }) => currentTarget.isConnected && act.closeSheet(),
      oncancel: (event) => {
        event.preventDefault();
        act.closeSheet();
      },
      // No value of its own: a handler that gives false would undo the click of a box within.
      onclick: (event) => {
        if (event.target === event.currentTarget && isMeant(event.target)) act.closeSheet();
      },
    },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", { id: `${name}-title`, tabindex: -1, autofocus: true }, title),
      h("button", { type: "button", class: "quiet", "aria-label": t("close"), onclick: act.closeSheet }, icon("close")),
    ),
    // What scrolls can be scrolled by keys, whatever is in it.
    h("div", { class: "sheet-body", role: "group", tabindex: 0, "aria-labelledby": `${name}-title` }, body),
    buttons.length ? h("div", { class: "sheet-foot" }, buttons) : null,
  );
}
