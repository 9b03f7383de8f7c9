/** What the page says without being asked: live regions for screen readers, toasts, the banner about the line. */

import { h } from "./keyed.js";
import { icon } from "./pictures.js";
import { t } from "./texts.js";

const JOIN_WITHIN = 300; // milliseconds in which messages become one
const APART = 700;
const CLEAR_FOR = 150;
const TOAST_FOR = 5000;
const MOST_TOASTS = 2;

/**
 * Says things through two polite live regions in turn, so that the same text twice is read twice.
 *
 * `regions`: the two elements, `alert`: the element for refusals.
 */
export class Announcer {
  #waiting = [];
  #timer = null;
  #turn = 0;
  #last = -Infinity;

  constructor(regions, alert) {
    this.regions = regions;
    this.alert = alert;
  }

  /** Reads `text` out as soon as nothing else is being said. */
  say(text) {
    if (!text) return;
    this.#waiting.push(text);
    const pause = Math.max(JOIN_WITHIN, this.#last + APART - performance.now());
    this.#timer ??= setTimeout(() => this.#speak(), pause);
  }

  /** Reads a refusal at once. */
  warn(text) {
    this.#write(this.alert, text);
  }

  #speak() {
    this.#timer = null;
    this.#last = performance.now();
    this.#turn = 1 - this.#turn;
    this.#write(this.regions[this.#turn], this.#waiting.splice(0).join(" "));
    this.regions[1 - this.#turn].textContent = "";
  }

  #write(region, text) {
    region.textContent = "";
    setTimeout(() => {
      region.textContent = text;
    }, CLEAR_FOR);
  }
}

/** Adds a toast to the state of `store`, and takes it away later unless it is being read. */
export function toast(store, text) {
  const id = crypto.getRandomValues(new Uint32Array(1))[0];
  store.change(({ toasts }) => ({
    toasts: [...toasts.filter((other) => other.text !== text), { id, text }].slice(-MOST_TOASTS),
  }));
  const expire = () => {
    const node = document.querySelector(`[data-toast="${id}"]`);
    if (node?.matches(":hover, :focus-within")) setTimeout(expire, TOAST_FOR);
    else store.change(({ toasts }) => ({ toasts: toasts.filter((other) => other.id !== id) }));
  };
  setTimeout(expire, TOAST_FOR);
}

export function toasts(list, dismiss) {
  return h(
    "div",
    { class: "toasts", key: "toasts" },
    list.map(({ id, text }) =>
      h(
        "p",
        { key: id, class: "toast", "data-testid": "toast", "data-toast": id },
        text,
        h(
          "button",
          { type: "button", class: "quiet", "aria-label": t("close"), onclick: () => dismiss(id) },
          icon("close"),
        ),
      ),
    ),
  );
}

/** The banner over the screen while something about the line has to be known. `link` is that of the state. */
export function banner(link, act) {
  const { status, secondsLeft, missed } = link;
  if (status === "elsewhere") return strip(t("banner.elsewhere"), t("banner.use_here"), act.useHere);
  if (status === "outdated") return strip(t("banner.outdated"), t("banner.reload"), () => location.reload());
  if (status === "lost" && link.shown) {
    const why = link.restarting ? "banner.restarting" : "banner.lost";
    return strip(t(why, { count: secondsLeft ?? 0 }), t("banner.try_now"), act.retry);
  }
  if (missed === null) return null;
  return strip(missed ? t("banner.back", { count: missed }) : t("banner.back_now"));
}

function strip(text, label, press) {
  return h(
    "div",
    { class: "banner", key: "banner", "data-testid": "banner", role: "status" },
    h("span", {}, text),
    label ? h("button", { key: label, type: "button", onclick: press }, label) : null,
  );
}
