/** What people do, by the names that the screens call. */

import { shake } from "./keyed.js";
import { statusText, toast } from "./notices.js";
import { isLineElsewhere } from "./socket.js";
import { adviceFor, isCovered, isShut, isSolo, obstacleTo, ownSeat } from "./state.js";
import { hintSentence, previewSentence, sentences, t } from "./texts.js";
import { chosenOffer, endsFor, KNOCK, offersOf, SENDING, step } from "./turn.js";

const REFUSAL_FOR = 4000; // milliseconds
const ENTROPY = 32; // bytes
const MOST_MUTED = 100;
const MOST_SHARES = 100;
const MOST_REVIEWS = 20;

/** The form of a new table, as it is until something else is chosen. */
export const DEFAULT_FORM = {
  game: "fives-threes",
  seats: 4,
  lead: "lot",
  fill: "bots",
  bot: "club",
  bot_delay: 0.7, // seconds
  public: false,
  spectators: true,
  undo: true,
  hints: true,
  absence: "bot",
  grace: 60, // seconds
  next_deal_after: 20, // seconds
  turn_timer: null, // seconds; null: no limit
  target: "", // the game's own
  local: 2,
  names: [],
};

/** What a person may set, as it is until it is changed. What the settings mean is said where they are shown. */
export const DEFAULT_SETTINGS = {
  language: null, // as the browser says
  theme: "system", // "light", "dark"
  motion: "system", // "reduced"
  confirm: "always", // "choice": only where there is a choice of end; "tap": a tap on an end plays
  dropPlays: false,
  keys: true,
  positions: false,
  colouredPips: false,
  numerals: false,
  sounds: true,
  soundTiles: true,
  soundScores: true,
  soundTurn: true,
  soundReactions: true,
  volume: 0.6,
  vibration: true,
  muteReactions: false,
};

/** Where the focus goes when what had it has gone: never to a button that a second press of the same key would press. */
export const REFUGES = ["dialog h2", ".curtain button", '.hand-tile[tabindex="0"]', ".table-page:not(.covered) .board"];

/** What is done at `page`: {store, client, announcer, kept, cameras, moves(), go(path)}. */
export function actsAt(page) {
  const turn = turnActs(page);
  return { ...waysIn(page), ...seatActs(page), ...turn, ...commandActs(page, turn), ...pageActs(page) };
}

/** What this browser has added to seeds so far, as `newShare` gives it. A page of before kept one promise for each. */
export function sharesOf(kept) {
  const shares = kept.read("shares") ?? [];
  if (Array.isArray(shares)) return shares;
  return Object.entries(shares).map(([promise, value]) => ({ value, promises: [promise] }));
}

/**
 * What this browser adds to the seed of the match to come of `room`, so that the server alone does not choose the deals:
 * {value, promises}, with what the server had promised by then. In the lobby that is so for two matches.
 *
 * It is remembered, so that the replay can tell whether both count.
 */
export function newShare({ phase, commitment, next_commitment }, kept) {
  const bytes = crypto.getRandomValues(new Uint8Array(ENTROPY));
  const value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const share = { value, promises: phase === "lobby" ? [commitment, next_commitment] : [next_commitment] };
  kept.write("shares", [...sharesOf(kept), share].slice(-MOST_SHARES));
  return share;
}

/** Whether the person at `page` has said a name; connects under it if so. */
export function isNamed({ store, client }) {
  const named = store.state.me.name.trim() !== "";
  store.change({ nameProblem: named ? null : "name.missing" });
  if (named) client.connect();
  else find("name")?.focus();
  return named;
}

/** To a table, and to a seat at it. What only the screens before it need is in screens/acts.js. */
function waysIn(page) {
  const { store, client, kept, go } = page;
  return {
    go,
    setName(name) {
      kept.write("name", name);
      store.change(({ me }) => ({ me: { ...me, name }, nameProblem: null }));
    },
    /** Where there are own tables another tab may be at one: connecting would take its seat over. */
    async lookAround() {
      if (store.state.me.rooms.length && (await isLineElsewhere())) return;
      if (store.state.path !== "/") return;
      client.openHall();
      for (const room of client.tables.left)
        client.ask({ type: "sync", room }, (error) => isShut(error) && client.tables.offerNoMore(room));
    },
    /** What this browser remembers under that name, or null. */
    kept: (name) => kept.read(name),
    /** Takes that seat, or any; who has no name and no place to say it is asked for it. */
    sit(seat) {
      if (store.state.me.name.trim() === "" && !find("name")) store.change({ sheet: "name", wish: { seat } });
      else if (isNamed(page)) {
        client.closeSheets(["name"]);
        client.sit(seat);
      }
    },
    watch() {
      client.connect(); // under the name that was said meanwhile
      return client.watch();
    },
  };
}

/** Whether a match is on in which one has a seat here. */
function isInMatch(room) {
  return ownSeat(room) !== null && ["playing", "deal_over"].includes(room.phase);
}

/** Who sits where, and going on. */
function seatActs({ store, client, kept, go }) {
  /**
   * Asks for what the match waits for, with a share of this browser. One that came too late for the match it was meant
   * for would count for the next one, of which nothing had been promised: another takes its place.
   */
  async function goOn(type) {
    const { value, promises } = newShare(store.state.room, kept);
    const answer = await client.askRoom(type, { entropy: value });
    const { room, counted } = store.state;
    const isLate = room?.phase === "playing" && !promises.includes(room.next_commitment) && !counted.includes(value);
    if (answer && isLate) await goOn("next");
    return answer;
  }

  /** Gives the seat up, but not where all are alone with computers, or at one device: that match waits for them. */
  async function giveUp() {
    const { room } = store.state;
    if (!isInMatch(room) || !isSolo(room)) await client.leave(isInMatch(room));
    go("/");
  }

  return {
    giveUp,
    /** Leaves the table; a match with others, which goes on meanwhile, only if that is wanted once more. */
    leave() {
      const { room } = store.state;
      if (isInMatch(room) && !isSolo(room)) store.change({ sheet: "leave" });
      else giveUp();
    },
    start: () => goOn("start"),
    async ready() {
      if (await goOn("next")) client.closeSheets(["result", "match"]);
    },
    swapFrom: (seat) => store.change({ swapping: seat }),
    swapTo(seat) {
      client.askRoom("swap", { seats: [store.state.swapping, seat] });
      store.change({ swapping: null });
    },
    react(key) {
      client.closeSheets(["reactions"]);
      client.askRoom("react", { key }, (error) =>
        client.tell(error.code === "rate_limited" ? { code: "too_many_reactions" } : error),
      );
    },
  };
}

/** What is read out of a hint: why, and what, which eyes see in the status line. */
function hintText(room, choice) {
  const offers = offersOf(room);
  const offer = chosenOffer(choice, offers);
  const why = hintSentence(room, choice, offers);
  return sentences(why, offer && previewSentence(room, offer, room.scores[room.seats[ownSeat(room)].side]));
}

/** What is asked of the table: advice, taking back, starting over. */
function commandActs({ store, client, announcer }, { choose }) {
  const open = (sheet) => store.change({ sheet });
  const commands = {
    async hint() {
      if (store.state.choice.hint && adviceFor(store.state)) {
        open("advice"); // what is shown already, and all else that was said
        return;
      }
      const answer = await client.askRoom("hint");
      if (!answer) return;
      store.change(({ room }) => ({ advice: { ...answer, events: room?.deal?.events } }));
      choose({ type: "hint", ...answer.actions[0] });
      const { room, choice } = store.state;
      if (choice.hint) announcer.say(hintText(room, choice));
    },
    undo: () => client.askRoom("undo"),
    redo: () => client.askRoom("redo"),
    restart: () => open("restart"),
    new_game: () => open("new_game"),
    react: () => open("reactions"),
    more: () => open("more"),
  };
  return {
    /** Does what the button of that name says, or says why it is not possible. */
    command(name) {
      const { room } = store.state;
      if (ownSeat(room) === null || isCovered(room)) return;
      const obstacle = obstacleTo(name, { room, offers: offersOf(room), online: client.online });
      client.closeSheets(["more"]);
      if (obstacle) client.warn(t(obstacle));
      else commands[name]();
    },
    /** `restart` or `new_game`, once more wanted. */
    startOver(name) {
      client.closeSheets([name]);
      client.askRoom(name);
    },
    /** Asks what the plays of that own seat have cost in `deal`, which is over. */
    async review(deal, seat) {
      store.change({ reviewing: true });
      const answer = await client.askRoom("review", { seat });
      store.change(({ reviews }) => ({
        reviewing: false,
        reviews: answer ? [...reviews, { deal, seat, answer }].slice(-MOST_REVIEWS) : reviews,
      }));
      if (answer) announcer.say(t("review.done", { count: answer.plays.filter(({ blunder }) => blunder).length }));
    },
    /** The map of unseen tiles shows those of that seat, or "stock". */
    mapFor: (mapped) => store.change({ mapped }),
    say: (text) => announcer.say(text),
    cover(seat) {
      client.closeSheets(["people"]);
      client.askRoom("cover", { seat });
    },
    consent: (ask, yes) => client.askRoom("consent", { ask, yes }),
  };
}

/** The steps after which it is read out what is chosen now, and what that would score. */
const TOLD = new Set(["tile", "end", "draw", "cancel"]);

/** The own turn: from a tile to an action. */
function turnActs(page) {
  const { store, client } = page;
  let forgetting = null;
  let isSought = false; // whether the keyboard is on its way to the list of places

  /** Makes one step towards an action, and sends it when it is confirmed. */
  function choose(input) {
    const { room, choice } = store.state;
    isSought = false;
    if (!room?.deal || (["confirm", "preview"].includes(input.type) && !client.online)) return;
    const offers = offersOf(room);
    const isRefused = ["tile", "lift"].includes(input.type) && !endsFor(offers, input.tile).length;
    if (isRefused) refuse(input.tile, offers);
    else store.change({ refusal: null });
    const next = step(choice, input, offers, performance.now(), client.online ? store.state.settings : undefined);
    store.change({ choice: next });
    if (!isRefused && isAnother(choice, next))
      page.announcer.say(
        TOLD.has(input.type) && next.state !== SENDING && statusText({ room, choice: next, offers }),
        "choice",
      );
    if (next.state === SENDING && choice.state !== SENDING) send(next.action);
  }

  async function send(action) {
    const { room, seq } = store.state.room;
    focusBeside(action.tile);
    const answer = await client.act({ room, seq, action });
    if (!answer) choose({ type: "refused" });
  }

  /** Says why a tile cannot be chosen. */
  function refuse(tile, offers) {
    const text = t(`refusal.${whyNot(store.state.room, offers)}`, { tile });
    page.announcer.warn(text);
    clearTimeout(forgetting);
    store.change({ refusal: text });
    forgetting = setTimeout(() => store.change({ refusal: null }), REFUSAL_FOR);
    if (page.moves()) shake(`[data-tile="${tile}"]`, 160);
  }

  /** To the list of places: at once, or when it comes to the page. */
  function focusPositions() {
    isSought = !document.querySelector(".positions");
    focusPlace();
  }

  function positionsCame() {
    if (isSought) focusPlace();
    isSought = false;
  }

  return {
    choose,
    lift: (tile) => choose({ type: "lift", tile }),
    hover: (end) => store.change({ near: end }),
    drop: (end) => choose(end ? { type: "end", end, by: "drop" } : { type: "cancel" }),
    mayDrag: () => store.state.room?.phase === "playing" && store.state.choice.state !== SENDING,
    async show(seat) {
      if (await client.askRoom("show", { seat })) requestAnimationFrame(focusHand);
    },
    knock: () => store.state.choice.state === KNOCK && choose({ type: "confirm" }),
    look: (point) => page.cameras.look(point),
    lookBeside: () => page.cameras.lookBeside(),
    attachBoard: (svg) => page.cameras.attach(svg),
    focusHand,
    focusPositions,
    positionsCame,
  };
}

function isAnother(before, choice) {
  return ["state", "tile", "end"].some((name) => before[name] !== choice[name]);
}

function whyNot(room, offers) {
  if (!offers.mine) return "fits_no_end_now";
  if (offers.knock) return "knock";
  if (offers.draw) return "draw";
  return room.deal.events.at(-1)?.type === "drew" ? "drawn" : "fits_nowhere";
}

/** The button that was pressed and the tile that was played are about to go, so the focus goes to the next tile. */
function focusBeside(tile) {
  const node = document.querySelector(`[data-tile="${tile}"]`);
  const neighbour = node?.nextElementSibling ?? node?.previousElementSibling;
  if (neighbour) neighbour.focus();
  else focusHand();
}

function focusHand() {
  document.querySelector('.hand-tile[tabindex="0"]')?.focus();
}

function focusPlace() {
  document.querySelector(".positions input:checked, .positions input")?.focus();
}

/** Sheets, the line, the clipboard. */
function pageActs({ store, client, kept }) {
  return {
    open: (name) => store.change({ sheet: name, resultOf: null }),
    /** The result of the deal of that number again. */
    openResult: (number) => store.change({ sheet: "result", resultOf: number }),
    closeSheet: () => store.change({ sheet: null }),
    /** Lets be seen above a sheet what lies under it. */
    showAbove: (text) => store.state.sheet && toast(store, text),
    /** The moves were scrolled back when there were so many lines; null: they are at their end again. */
    scrollMoves: (seenLines) => store.change({ seenLines }),
    retry: () => client.socket.retry(),
    useHere: () => client.socket.open(),
    /** Changes settings for good; they have their effect at once. */
    setSetting(changes) {
      kept.write("settings", { ...kept.read("settings"), ...changes });
      store.change(({ settings }) => ({ settings: { ...settings, ...changes } }));
    },
    /** Hides the reactions of that player, or shows them again. */
    mute(player, isMuted) {
      const muted = [...store.state.muted.filter((other) => other !== player), ...(isMuted ? [player] : [])];
      kept.write("muted", muted.slice(-MOST_MUTED));
      store.change({ muted });
    },
    async copy(text) {
      const copied = await navigator.clipboard?.writeText(text).then(
        () => true,
        () => false,
      );
      if (copied) client.note(t("copied"));
      else find("invite-link")?.select();
    },
    share: (url) => navigator.share({ title: t("brand"), url }).catch(() => {}), // closed without sharing
  };
}

function find(testid) {
  return document.querySelector(`[data-testid="${testid}"]`);
}
