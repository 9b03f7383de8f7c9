/** What the page says without being asked: live regions for screen readers, toasts, the status, the banner of the line. */

import { END_LETTERS } from "./geometry.js";
import { h } from "./keyed.js";
import { icon, unbroken } from "./pictures.js";
import { dealName, eventOf, isCovered, isOwnTurn, ownSeat } from "./state.js";
import { hasText, hintSentence, plainName, previewSentence, sentence, sentences, t } from "./texts.js";
import { chosenOffer, DRAW, KNOCK, offersOf, PREVIEW, SENDING, TILE, TURN } from "./turn.js";

const JOIN_WITHIN = 300; // milliseconds in which messages become one
const APART = 700;
const CLEAR_FOR = 150;
const TOAST_FOR = 5000;
const MOST_TOASTS = 2;
const BANNER_AFTER = 1500;
const BACK_FOR = 4000;
const TICK = 250;
const REACTION_FOR = 3000;
const MOST_SAID = 20;
const LOOKING_LONG = 20_000;

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
  #writing = new Map();

  constructor(regions, alert) {
    this.regions = regions;
    this.alert = alert;
  }

  /** Reads `text` out as soon as nothing else is being said, instead of what is still to be said `about` the same. */
  say(text, about = null) {
    if (about) this.#waiting = this.#waiting.filter((other) => other.about !== about);
    if (!text) return;
    this.#waiting.push({ text, about });
    const pause = Math.max(JOIN_WITHIN, this.#last + APART - performance.now());
    this.#timer ??= setTimeout(() => this.#speak(), pause);
  }

  /** Reads a refusal at once. */
  warn(text) {
    this.#write(this.alert, text);
  }

  #speak() {
    this.#timer = null;
    if (!this.#waiting.length) return;
    this.#last = performance.now();
    this.#turn = 1 - this.#turn;
    const texts = this.#waiting.splice(0).map(({ text }) => text);
    this.#write(this.regions[this.#turn], texts.join(" "));
    this.regions[1 - this.#turn].textContent = "";
  }

  /** Leaves nothing in the page of what was said: the next person at it need not read it. */
  forget() {
    this.#waiting = [];
    for (const region of [...this.regions, this.alert]) this.#write(region, "");
  }

  #write(region, text) {
    region.textContent = "";
    clearTimeout(this.#writing.get(region));
    this.#writing.set(
      region,
      setTimeout(() => {
        region.textContent = text;
      }, CLEAR_FOR),
    );
  }
}

/** Texts of refusals after which only a page that is loaded again goes on. */
const OF_THE_PAGE = new Set(["error.bad_message", "error.internal", "error.unauthorized"]);

/** What the server has refused in words, and the `button` of a toast that helps against it, or null; `watch()` does. */
export function refusal({ code, reason }, watch) {
  const key = [`reason.${reason}`, `error.${code}`].find(hasText);
  return { text: key ? t(key) : t("error.other", { code }), button: wayOut(key, watch) };
}

function wayOut(key, watch) {
  if (key === "error.room_full") return { text: t("watch"), press: watch };
  if (key === undefined || OF_THE_PAGE.has(key)) return { text: t("banner.reload"), press: () => location.reload() };
  return null;
}

/**
 * Adds a toast to the state of `store`, and takes it away later unless it is being read. One with a `button`, {text,
 * press}, stays until that or the cross is pressed.
 */
export function toast(store, text, button = null) {
  const id = crypto.getRandomValues(new Uint32Array(1))[0];
  store.change(({ toasts }) => ({
    toasts: [...toasts.filter((other) => other.text !== text), { id, text, button }].slice(-MOST_TOASTS),
  }));
  const expire = () => {
    const node = document.querySelector(`[data-toast="${id}"]`);
    if (node?.matches(":hover, :focus-within")) setTimeout(expire, TOAST_FOR);
    else store.change(({ toasts }) => ({ toasts: toasts.filter((other) => other.id !== id) }));
  };
  if (!button) setTimeout(expire, TOAST_FOR);
}

/** The toasts, above a sheet that is open too, or null where there are none. */
export function toasts(list, dismiss) {
  if (!list.length) return null;
  return h(
    "div",
    { class: "toasts", key: "toasts", popover: "manual" },
    list.map(({ id, text, button }) =>
      h(
        "p",
        { key: id, class: "toast", "data-testid": "toast", "data-toast": id, attach: raise },
        h("span", {}, unbroken(text)),
        button &&
          h("button", { key: "press", type: "button", onclick: () => (dismiss(id), button.press()) }, button.text),
        h(
          "button",
          { key: "close", type: "button", class: "quiet", "aria-label": t("close"), onclick: () => dismiss(id) },
          icon("close"),
        ),
      ),
    ),
  );
}

/** Puts a new toast above everything that is there by now. */
function raise({ parentNode: box }) {
  if (box.contains(document.activeElement)) return;
  box.hidePopover?.();
  box.showPopover?.();
}

/** What is read out when one's own turn has come: that too where no tile fits, which eyes see in the status line. */
export function ownTurnText(room) {
  return [t("say.your_turn"), withoutTileText(room)].filter(Boolean).join(" ");
}

/** Whose turn it is, where nothing that was done says so; "" where the device is handed on, or nobody is to act. */
export function turnText(room) {
  if (isOwnTurn(room)) return ownTurnText(room);
  if (room.phase !== "playing" || !room.turn || isCovered(room)) return "";
  return t("status.others_turn", { name: plainName(room.seats[room.turn.seat]) });
}

/** What there is to do in one's own turn where no tile fits; "" where one does. */
export function withoutTileText(room) {
  const { draw, knock } = offersOf(room);
  if (knock) return t("status.knock");
  return draw ? t("status.must_draw", { count: room.deal.stock }) : "";
}

/** How the status line looks: what it says is a warning, or what the person may do now, or neither. */
export function statusTone({ room, choice, offers, refusal }) {
  if (refusal) return "warn";
  if (choice.state === PREVIEW) return chosenOffer(choice, offers)?.play?.accepted === false ? "warn" : "ready";
  return room.phase === "playing" && offers.mine ? "mine" : "";
}

/** What is to be done, or is about to be done. */
export function statusText(scene) {
  const { room, choice, refusal } = scene;
  if (refusal) return refusal;
  if (room.phase === "deal_over") return dealOverText(room);
  if (room.phase === "match_over") return sentence(eventOf(room.deal, "match_ended"), room, room);
  const say = scene.offers.mine ? STATUS[choice.state] : null;
  if (!say) return waitText(room, choice);
  return sentences(choice.hint && hintSentence(room, choice, scene.offers), say(scene));
}

function dealOverText(room) {
  const waits = room.seats[ownSeat(room)]?.ready;
  return t(waits ? "status.waiting_others" : "status.deal_over", { number: room.deal.number });
}

const STATUS = {
  [TURN]: ({ room }) => withoutTileText(room) || t("status.your_turn"),
  [TILE]: ({ room, choice: { tile } }) =>
    t(room.deal.layout.ends.length ? "status.choose_end" : "status.choose_place", { tile }),
  [PREVIEW]: ({ room, choice, offers }) =>
    previewSentence(room, chosenOffer(choice, offers), room.scores[room.seats[ownSeat(room)].side]),
  [DRAW]: ({ room }) => t("status.draw", { count: room.deal.stock }),
  [KNOCK]: ({ room }) => withoutTileText(room),
  [SENDING]: () => t("status.sending"),
};

function waitText(room, choice) {
  if (!room.turn) return t("status.waiting");
  const name = plainName(room.seats[room.turn.seat]);
  if (choice.tile)
    return t(choice.end ? "status.prepared_at" : "status.prepared", {
      tile: choice.tile,
      end: END_LETTERS[choice.end] ?? "",
      name,
    });
  return t(ownSeat(room) === null ? "status.watching" : "status.others_turn", { name });
}

/** What the window is called: that it is one's turn, or the `heading` of the screen, if there is one. */
export function titleOf({ room, record }, heading) {
  if (room && isOwnTurn(room)) return t("title.your_turn");
  if (record) return t("title.replay");
  return heading && heading !== t("brand") ? t("title.page", { page: heading }) : t("brand");
}

/** What the table shows for a while, or after a while, in the state of `store`. */
export class TableNotice {
  #looking = null;
  #said = 0;

  constructor(store) {
    this.store = store;
  }

  /** Opens the result of the deal or match that is over, unless the person is ready to go on already. */
  showResult(room, delay) {
    const sheet = { deal_over: "result", match_over: "match" }[room.phase];
    const own = ownSeat(room);
    if (!sheet || (own !== null && room.seats[own].ready)) return;
    setTimeout(() => this.store.state.room?.phase === room.phase && this.store.change({ sheet }), delay);
  }

  /** Shows the reaction at its seat, and keeps it among the moves. */
  showReaction({ seat, key }) {
    const show = (shown) => this.store.change(({ reactions }) => ({ reactions: { ...reactions, [seat]: shown } }));
    const line = { id: (this.#said += 1), seat, key };
    show(line);
    this.store.change(({ room, lines, said }) => ({
      said: [...said, { ...line, deal: dealName(room), after: lines.length }].slice(-MOST_SAID),
    }));
    setTimeout(() => this.store.state.reactions[seat]?.id === line.id && show(null), REACTION_FOR);
  }

  /** While players are looked for, remembers that it has taken long. */
  watchWaiting({ waiting }) {
    if (waiting) {
      this.#looking ??= setTimeout(() => this.store.change({ looksLong: true }), LOOKING_LONG);
      return;
    }
    clearTimeout(this.#looking);
    this.#looking = null;
    this.store.change({ looksLong: false });
  }
}

/** How the line is doing, in the `link` of the state, with the time that a person has to see it. */
export class LineNotice {
  /** How many moves have been missed, as far as they are known. */
  missed = 0;
  #lostSince = null;
  #ticking = null;

  constructor(store, announcer) {
    Object.assign(this, { store, announcer });
  }

  /**
   * The line has another status now; `retryIn`: seconds until it is tried again, or null; `isSameTable`: whether the
   * newest tab of this browser is at the table of this one.
   */
  changed({ status, retryIn, isSameTable = true }) {
    clearInterval(this.#ticking);
    if (status === "lost") this.#lostSince ??= performance.now();
    this.change({ status, isSameTable, secondsLeft: retryIn === null ? null : Math.ceil(retryIn) });
    if (status === "lost") this.#countDown(performance.now() + (retryIn ?? 0) * 1000);
    if (status === "live" && this.#lostSince !== null) this.#isBack();
    if (status === "elsewhere") this.#readOut();
  }

  /** There is no line, and none is wanted. */
  rest() {
    clearInterval(this.#ticking);
    this.#lostSince = null;
    this.change({ status: "connecting", secondsLeft: null, shown: false, missed: null });
  }

  change(changes) {
    this.store.change(({ link }) => ({ link: { ...link, ...changes } }));
  }

  #countDown(retryAt) {
    this.#ticking = setInterval(() => {
      const now = performance.now();
      const secondsLeft = Math.max(0, Math.ceil((retryAt - now) / 1000));
      const shown = now - this.#lostSince >= BANNER_AFTER;
      const before = this.store.state.link;
      if (before.secondsLeft !== secondsLeft || before.shown !== shown) this.change({ secondsLeft, shown });
      if (shown && !before.shown) this.#readOut();
    }, TICK);
  }

  #isBack() {
    this.#lostSince = null;
    this.store.change(({ toasts: list }) => ({ toasts: list.filter(({ text }) => text !== t("reason.offline")) }));
    this.lookForNewVersion();
    const { shown } = this.store.state.link;
    this.change({ shown: false, restarting: false, missed: shown ? this.missed : null });
    if (!shown) return;
    this.#readOut();
    setTimeout(() => this.change({ missed: null }), BACK_FOR);
  }

  /** Another server may answer now, which has other files than those of this page: its own does not name them then. */
  async lookForNewVersion() {
    if (this.store.state.link.isOld) return;
    const page = await fetch("/", { cache: "no-store" }).then(
      (answer) => answer.text(),
      () => null, // that line is lost, too
    );
    if (page === null || page.includes(new URL(import.meta.url).pathname) || this.store.state.link.isOld) return;
    this.change({ isOld: true });
    this.announcer.say(t("banner.outdated"));
  }

  /** Said once: a live region would be read again at each second of the countdown. */
  #readOut() {
    this.announcer.say(bannerText(this.store.state.link));
  }
}

/** What the banner over the screen says about the line, or null. `link` is that of the state. */
function bannerText({ status, isSameTable, secondsLeft, missed, shown, restarting, isOld }) {
  if (status === "elsewhere") return t(isSameTable ? "banner.elsewhere" : "banner.elsewhere_other");
  if (status === "outdated") return t("banner.outdated");
  if (status === "lost" && shown)
    return t(restarting ? "banner.restarting" : "banner.lost", { count: secondsLeft ?? 0 });
  if (missed !== null) return missed ? t("banner.back", { count: missed }) : t("banner.back_now");
  return isOld ? t("banner.outdated") : null;
}

/** The banner, with what can be done about it. */
export function banner(link, act) {
  const text = bannerText(link);
  const reload = ["banner.reload", () => location.reload()];
  const press =
    { elsewhere: ["banner.use_here", act.useHere], outdated: reload, lost: ["banner.try_now", act.retry] }[
      link.status
    ] ?? (link.isOld ? reload : null);
  return (
    text &&
    h(
      "div",
      { class: "banner", key: "banner", "data-testid": "banner" },
      h("span", {}, text),
      press ? h("button", { key: press[0], type: "button", onclick: press[1] }, t(press[0])) : null,
    )
  );
}
