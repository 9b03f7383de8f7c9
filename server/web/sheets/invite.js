/** The invitation to a table. */

import { h } from "../keyed.js";
import { icon } from "../pictures.js";
import { t } from "../texts.js";
import { dialog } from "./dialog.js";

export function invite({ room }, act) {
  return dialog("invite", t("sheet.invite"), act, invitation(room, act));
}

/** The link to the table as text to copy or share, and as a picture for a phone. */
export function invitation(room, act) {
  const link = `${location.origin}/t/${room.room}`;
  const share = typeof navigator.share === "function";
  return h(
    "div",
    { class: "invitation" },
    h("img", {
      class: "qr",
      "data-testid": "invite-qr",
      src: `/t/${room.room}/qr.svg`,
      alt: link,
      width: 148,
      height: 148,
      onerror: (event) => event.currentTarget.remove(),
    }),
    h("p", { class: "room-code" }, t("invite.code"), h("b", {}, room.room)),
    h("input", {
      class: "link-field",
      "data-testid": "invite-link",
      readonly: true,
      value: link,
      "aria-label": t("invite.link"),
      onfocus: (event) => event.currentTarget.select(),
    }),
    h("button", { type: "button", class: share ? "" : "primary", onclick: () => act.copy(link) }, t("copy")),
    share
      ? h("button", { type: "button", class: "primary", onclick: () => act.share(link) }, icon("share"), t("share"))
      : null,
    isThisDeviceOnly(location.hostname) ? h("p", { class: "note" }, t("invite.local")) : null,
  );
}

/** Whether a link with this host leads everybody to their own device. */
function isThisDeviceOnly(host) {
  return host === "localhost" || host.endsWith(".localhost") || host.startsWith("127.") || host === "[::1]";
}
