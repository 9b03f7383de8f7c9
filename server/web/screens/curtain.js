/** What lies over the hand while a shared device goes from one person to the next. */

import { h } from "../keyed.js";
import { handsInTurn } from "../state.js";
import { plainName, t } from "../texts.js";
import { hasCome, isMeant } from "./slips.js";

/** The curtain: to whom the device goes, and the button that shows that hand. */
export function curtain({ room }, act) {
  const [next, ...others] = handsInTurn(room);
  const isNext = room.turn?.seat === next;
  const name = room.turn ? plainName(room.seats[room.turn.seat]) : "";
  return h(
    "section",
    { class: "curtain", key: "curtain", "data-testid": "curtain", attach: drawn },
    h("h2", {}, t(isNext ? "curtain.hand_to" : "status.others_turn", { name })),
    h(
      "p",
      { class: "row" },
      [next, ...(isNext ? [] : others)].map((seat) => showButton(room, seat, seat === next, act)),
    ),
  );
}

function showButton(room, seat, isFirst, act) {
  return h(
    "button",
    {
      key: seat,
      type: "button",
      class: isFirst ? "primary large" : "large",
      "data-testid": isFirst ? "show-hand" : `show-hand-${seat}`,
      onclick: ({ currentTarget }) => isMeant(currentTarget.closest(".curtain")) && act.show(seat),
    },
    t("curtain.show", { name: plainName(room.seats[seat]) }),
  );
}

/** The focus was on the hand or on its buttons, which are behind the curtain now. */
function drawn(node) {
  hasCome(node);
  const { activeElement } = document;
  const isLost = activeElement === document.body || activeElement.closest(".hand, .actions");
  if (isLost) node.querySelector("button").focus();
}
