/**
 * The player at this browser: keeps the seat over lost lines, takes in what the server says, and asks it for things.
 *
 * What it learns goes into the store; what it has to say goes to the announcer and to toasts.
 */

import {
  arriving,
  endOfTime,
  isGap,
  isRecentring,
  openTables,
  reduce,
  remembered,
  silenceOf,
  silentBefore,
  withCoveredHands,
} from "./fold.js";
import { LineNotice, ownTurnText, refusal, TableNotice, toast, turnText, withoutTileText } from "./notices.js";
import { Cut, lineHome, Refused, Socket } from "./socket.js";
import {
  actsOf,
  isCovered,
  isHandedOn,
  isLocal,
  isMuted,
  isOwnTurn,
  isShut,
  isTakeBack,
  KnownTables,
} from "./state.js";
import { announcement, notice, plainName, t } from "./texts.js";
import { isDropped, settle } from "./turn.js";

const RESULT_AFTER = 1100; // milliseconds

export class Client {
  #saidName = null;
  #line = null;
  #notice = null;
  #catchingUp = false;
  #missedTiles = [];
  #takeBack = null; // its kind, until the snapshot that follows has come

  /**
   * `kept` and `keptHere` remember values {read(name), write(name, value)} for the browser and for this tab.
   * `moves()`: whether things move on the page, so that a result waits for the last tile to lie. `hear(event)`: is told
   * what happens while one is there, {type: "own_turn"} too.
   */
  constructor({ store, announcer, kept, keptHere, moves, hear }) {
    Object.assign(this, { store, announcer, kept, keptHere, moves, hear });
    this.#line = new LineNotice(store, announcer);
    this.#notice = new TableNotice(store);
    this.tables = new KnownTables({ store, kept, keptHere });
    this.socket = new Socket({
      connect: lineHome,
      hello: () => this.#hello(),
      onMessage: (message) => this.#received(message),
      onWelcome: (welcome) => this.#welcomed(welcome),
      onRejected: (error) => this.#rejected(error),
      onStatus: (status) =>
        this.#line.changed({ ...status, isSameTable: this.kept.read("at") === this.store.state.code }),
    });
  }

  // The line

  /** Something of this page is not to be had: its version may be gone. */
  missesFiles() {
    this.#line.lookForNewVersion();
  }

  /** Whether what is sent now arrives now. */
  get online() {
    return ["live", "slow"].includes(this.store.state.link.status);
  }

  /** Connects under the name that is wanted now. */
  connect() {
    if (this.#saidName !== null && this.#saidName !== this.#wantedName()) this.socket.close();
    this.socket.open();
  }

  #wantedName() {
    return this.store.state.me.name.trim() || t("guest");
  }

  #hello() {
    this.#saidName = this.#wantedName();
    this.kept.write("at", this.store.state.code ?? ""); // for the tab that this line takes the place of
    const token = this.kept.read("token");
    return { name: this.#saidName, ...(token ? { token } : {}) };
  }

  async #welcomed({ player, token, rooms }) {
    this.kept.write("token", token);
    this.tables.remember(rooms);
    this.store.change(({ me }) => ({ me: { ...me, player } }));
    this.#catchingUp = true;
    this.#line.missed = 0;
    this.#missedTiles = [];
    try {
      await this.enter();
    } finally {
      this.#catchingUp = false;
      this.store.change(({ room, choice }) => ({ choice: room ? settle(choice, room, performance.now()) : choice }));
    }
  }

  /** A token that the server does not know any more is forgotten, and hello said again without it. */
  #rejected(error) {
    if (error.code === "unauthorized" && this.kept.read("token")) {
      this.kept.write("token", null);
      return true;
    }
    if (error.code === "bad_message") this.#nameRefused();
    else this.tell(error);
    return false;
  }

  #nameRefused() {
    this.socket.close();
    this.store.change(({ code }) => ({ nameProblem: "name.refused", invited: code !== null }));
  }

  /**
   * Sends a request and gives the answer; a refusal is told to the person, and the answer is null. So it is where this
   * tab has been replaced: what is asked there must not be done when the seat comes back to it.
   */
  async ask(message, tell = (error) => this.tell(error), options = {}) {
    if (["elsewhere", "outdated"].includes(this.store.state.link.status)) return null;
    try {
      return await this.socket.request(message, options);
    } catch (error) {
      if (error instanceof Refused) tell(error);
      else if (!(error instanceof Cut)) throw error;
      return null;
    }
  }

  /**
   * Acts in a match. Where the line is cut before the answer, the next one shows whether it was done, and the answer is
   * null either way: what was confirmed long ago is not done later by itself.
   */
  act(message) {
    return this.ask({ type: "act", ...message }, undefined, { again: false });
  }

  /** Asks something of the room at this address, but not where it would be done later, when it is not meant any more. */
  async askRoom(type, fields = {}, tell = undefined) {
    if (this.store.state.link.status === "lost") {
      this.warn(t("reason.offline"));
      return null;
    }
    return this.ask({ type, room: this.store.state.code, ...fields }, tell);
  }

  tell(error) {
    const { text, button } = refusal(error, () => this.watch());
    this.warn(text, button);
  }

  /** Says in passing that something is done. */
  note(text) {
    this.announcer.say(text);
    toast(this.store, text);
  }

  /** Says why something is not done; `button` is that of `toast`. */
  warn(text, button = null) {
    this.announcer.warn(text);
    toast(this.store, text, button);
  }

  // Coming and going

  /** Takes part in the room at this address: comes back to a seat, sits down, or watches. */
  async enter() {
    const { code, hall } = this.store.state;
    this.kept.write("at", code ?? "");
    if (!code && hall) await this.socket.request({ type: "rooms", subscribe: true }, { lasting: false });
    if (!code) return;
    const question = this.#wayIn(code);
    try {
      // Not kept for the next line: there the question may be another one.
      await this.socket.request({ ...question, room: code }, { lasting: false });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#notLetIn(error, code);
    }
  }

  #wayIn(code) {
    const { room, me, invited } = this.store.state;
    if (this.tables.isWatched(code)) return { type: "watch" };
    if (room?.room === code) return { type: "sync", epoch: room.epoch, after: room.seq };
    if (me.rooms.includes(code)) return { type: "sync" };
    return { type: me.name.trim() && !invited ? "join" : "sync" }; // the latter only asks whether a seat is free
  }

  #notLetIn(error, code) {
    this.tables.forget(code);
    if (isShut(error)) {
      this.tables.offerNoMore(code);
      this.store.change({ room: null, refusedCode: error.reason ?? error.code });
      return;
    }
    if (error.code === "not_seated") this.store.change({ room: null });
    else this.tell(error);
    this.store.change({ invited: true });
  }

  /** Comes to the room of a new address, over the line that there is or a new one. */
  arrive() {
    if (this.online && this.#saidName === this.#wantedName()) this.enter().catch(ignoreCut);
    else this.connect();
  }

  /** Follows the open tables from now on. */
  openHall() {
    if (this.store.state.hall) return;
    this.store.change({ hall: { tables: null } });
    if (this.online) this.enter().catch(ignoreCut);
    else this.connect();
  }

  closeHall() {
    if (!this.store.state.hall) return;
    this.store.change({ hall: null });
    if (this.online) this.ask({ type: "rooms", subscribe: false });
  }

  /** Takes a seat, or that one. Who is at no table yet, and has no line, takes one by entering over a new one. */
  async sit(seat) {
    const { code, room } = this.store.state;
    if (!room && !this.online) {
      this.tables.watch(code, false);
      this.store.change({ invited: false });
      this.connect();
    } else if (await this.askRoom("join", seat === undefined ? {} : { seat })) this.tables.watch(code, false);
  }

  /** Watches the room, now and after each reload of this tab, until a seat is taken. */
  async watch() {
    const { code } = this.store.state;
    this.tables.watch(code, true);
    if (!this.online) this.connect();
    else if (!(await this.askRoom("watch"))) this.tables.watch(code, false);
  }

  /** Gives the seat up; `isGoingOn`: in a match to which this player may come back. */
  async leave(isGoingOn) {
    const { code } = this.store.state;
    const isLeft = this.online && (await this.askRoom("leave"));
    this.tables.forget(code);
    if (isLeft && isGoingOn) this.tables.offer(code);
  }

  /** Hangs up when the page shows no table any more, so that the others see an empty chair and not a silent one. */
  depart() {
    this.socket.close();
    this.#line.rest();
    this.announcer.forget();
  }

  // What the server says

  #received(message) {
    if (message.type === "closing") this.#line.change({ restarting: message.reason !== "replaced" });
    if (message.type === "snapshot") this.#takeSnapshot(message);
    if (message.type === "update") this.#takeUpdate(message);
    if (message.type === "hand" && message.room === this.store.state.code) this.#takeHand(message);
    if (message.type === "rooms") this.#takeOpenTables(message);
  }

  #takeOpenTables(message) {
    this.store.change(({ hall }) => ({
      hall: hall && (message.re || hall.tables) ? { tables: openTables(hall.tables, message) } : hall,
    }));
  }

  #takeSnapshot(message) {
    const { code, me, choice } = this.store.state;
    if (code && message.room !== code) return; // of a table that was left meanwhile
    const room = reduce(null, message, me.player);
    if (room.you.seats.length) this.tables.remember([...me.rooms, room.room]);
    const now = performance.now();
    const silentSince = Math.min(now, silentBefore(this.keptHere.read("silence"), room, Date.now() - now) ?? now);
    const runsOut = endOfTime(room.turn, now);
    const entered = { choice: settle(choice, room, now), runsOut, invited: false, refusedCode: null, fresh: [] };
    if (this.#takeBack === "restarted") this.store.change({ lines: [], said: [] });
    this.#hold(room, entered, silentSince, true);
    if (room.phase === "playing") this.closeSheets(["result", "match"]);
    if (this.#takeBack) this.announcer.say(turnText(room));
    this.#takeBack = null;
    this.#notice.showResult(room, 0);
    this.#notice.watchWaiting(room);
  }

  /** The room is that one now, and with it come these changes. A page that is loaded again goes on with its silence. */
  #hold(room, changes, now = performance.now(), isSnapshot = false) {
    this.store.change((state) => ({ ...remembered(state, room, isSnapshot, now), room, ...changes }));
    this.keptHere.write("silence", silenceOf(this.store.state, Date.now() - performance.now()));
  }

  #takeUpdate(message) {
    const { room: before, choice, me } = this.store.state;
    if (isGap(before, message)) this.enter().catch(ignoreCut);
    const room = before && reduce(before, message, me.player);
    if (!room || room === before) return;
    const now = performance.now();
    const fresh = arriving(message.events, {
      now,
      fresh: this.store.state.fresh,
      missed: this.#catchingUp ? this.#missedTiles : null,
      lying: choice.end && choice.tile,
    });
    if (this.#catchingUp) this.#missedTiles = fresh;
    // Of the updates that are sent again only the last has a turn, so a choice is looked at when all have come.
    const settled = this.#catchingUp ? choice : settle(choice, room, now);
    this.#hold(room, { choice: settled, fresh, runsOut: endOfTime(room.turn, now) }, now);
    if (this.#catchingUp) this.#line.missed += actsOf(message).length;
    if (isCovered(room) && !isCovered(before)) this.announcer.forget();
    for (const event of message.events) this.#follow(event, room, before);
    if (isDropped(choice, settled, room)) this.note(t("say.prepared_dropped", { tile: choice.tile }));
    this.#takeBack = message.events.find(isTakeBack)?.type ?? null; // the snapshot that follows knows whose turn it is
    if (isOwnTurn(room) && !isOwnTurn(before)) {
      if (!this.#takeBack) this.announcer.say(ownTurnText(room));
      this.hear({ type: "own_turn" });
    } else if (message.events.some(({ type }) => type === "drew")) this.announcer.say(withoutTileText(room));
    if (isHandedOn(before, room))
      this.announcer.say(t("curtain.hand_to", { name: plainName(room.seats[room.turn.seat]) }));
    this.#notice.watchWaiting(room);
  }

  #takeHand(message) {
    this.#settled(reduce(this.store.state.room, message, this.store.state.me.player));
  }

  #settled(room) {
    this.#hold(room, { choice: settle(this.store.state.choice, room, performance.now()) });
  }

  /** Puts the hands at a shared device away, here and at the server, until one is asked for again. */
  coverHands() {
    const { room } = this.store.state;
    if (!room || !isLocal(room) || !room.you.shown.length) return;
    this.#settled(withCoveredHands(room));
    this.announcer.forget();
    this.store.change({ refusal: null });
    this.ask({ type: "sync", room: room.room });
  }

  /** What an event means for the page beside the state of the room. */
  #follow(event, room, before) {
    if (event.type === "reacted" && isMuted(this.store.state, event.seat)) return;
    if (event.type === "match_started") this.store.change({ counted: event.entropy.map(({ value }) => value) });
    const passing = notice(event, room, before);
    if (passing) toast(this.store, passing);
    this.announcer.say(announcement(event, room, before) || passing);
    if (!this.#catchingUp) this.hear(event);
    if (isRecentring(event, room)) this.announcer.say(t("say.recentred"));
    if (event.type === "deal_started") this.closeSheets(["result", "match"]);
    if (event.type === "deal_ended" || event.type === "match_ended")
      this.#notice.showResult(room, this.moves() ? RESULT_AFTER : 0);
    if (event.type === "reacted") this.#notice.showReaction(event);
    if (event.type === "closed") this.#notLetIn({ code: "no_such_room" }, room.room);
  }

  closeSheets(names) {
    if (names.includes(this.store.state.sheet)) this.store.change({ sheet: null });
  }
}

function ignoreCut(error) {
  if (!(error instanceof Cut)) throw error; // a new line enters by itself
}
