/**
 * The line to the server: connects, says hello, comes back when it is cut, and matches answers to requests.
 *
 * It knows no dominoes. A request that was not answered when the line was cut is sent again under the same id, which
 * the server answers without doing anything twice.
 */

const SUBPROTOCOL = "doublesix.v1.json";
/** Close codes after which coming back by itself would be wrong: a version not supported; replaced by another tab. */
export const FINAL_CODES = { 4001: "outdated", 4003: "elsewhere" };

const LOCK = "doublesix.line.";
const OWN_LOCK = LOCK + randomPrefix();

const DELAYS = [0.5, 1, 2, 4, 8, 15]; // seconds
const SPREAD = 0.2;
const SLOW_AFTER = 2; // seconds without an answer
const PROBE_WITHIN = 2; // seconds
const LIFE_WITHIN = 8; // seconds for a sign of life once the line is slow; a server that is frozen ends no line by itself
const LONG = "record"; // what it is asked for, an answer that may hold up all others for a while
const GREETED_WITHIN = 10; // seconds; a network that swallows everything ends no line by itself

/** The server said no: `code`, `reason` and `path` are those of its `error`. */
export class Refused extends Error {
  constructor(error) {
    super(error.message);
    this.name = "Refused";
    this.code = error.code;
    this.reason = error.reason ?? null;
    this.path = error.path ?? null;
    this.retryAfter = error.retry_after ?? null;
  }
}

/** The line was cut before a question was answered. */
export class Cut extends Error {
  constructor() {
    super("the connection was lost");
    this.name = "Cut";
  }
}

/** A new connection to the server that the page has come from. Other tabs know of it as long as it is open. */
export function lineHome() {
  const line = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, [SUBPROTOCOL]);
  const closed = new Promise((resolve) => line.addEventListener("close", resolve));
  navigator.locks?.request(OWN_LOCK, { mode: "shared" }, () => closed).catch(() => {}); // where storage is blocked
  return line;
}

/** Whether another tab has a line, which one from here would take over. So it may be where browsers do not tell. */
export async function isLineElsewhere() {
  const locks = await navigator.locks?.query().catch(() => null);
  return locks?.held.some(({ name }) => name.startsWith(LOCK) && name !== OWN_LOCK) ?? true;
}

/** Seconds to wait before attempt number `attempt` (from 0), with jitter so that clients do not come back at once. */
export function delayBefore(attempt, random) {
  const delay = DELAYS[Math.min(attempt, DELAYS.length - 1)];
  return delay * (1 - SPREAD + 2 * SPREAD * random());
}

export class Socket {
  #line = null;
  #pending = new Map();
  #count = 0;
  #attempt = 0;
  #wanted = false;
  #retryAfter = null;
  #isSlow = false;
  #timers = new Map();

  /**
   * `connect()` gives a new WebSocket; `hello()` the fields of the hello message.
   *
   * `onMessage(message)` gets every message, an answer before its promise is kept. `onWelcome(welcome)` may return a
   * promise: until it is kept the line is not "live" and nothing old is sent again. `onRejected(error)` is told of a
   * refused hello and gives true to have it said again. `onStatus(status)` gets {status, retryIn}: connecting, live,
   * slow, lost, or outdated / elsewhere, which last until `open` is called again. `world` holds setTimeout,
   * clearTimeout and random.
   */
  constructor({
    connect,
    hello,
    onMessage,
    onWelcome,
    onRejected,
    onStatus,
    world = browserWorld(),
    prefix = randomPrefix(),
  }) {
    Object.assign(this, { connect, hello, onMessage, onWelcome, onRejected, onStatus, world, prefix });
  }

  /** Connects, unless it is connected or about to be. */
  open() {
    if (this.#wanted && this.#line) return;
    this.#wanted = true;
    this.#attempt = 0;
    this.#dial();
  }

  /** Hangs up for good; what was not answered is answered by a `Cut`. */
  close() {
    this.#wanted = false;
    this.#hangUp();
    for (const id of [...this.#pending.keys()]) this.#settle(id, (request) => request.reject(new Cut()));
  }

  /** Tries now instead of waiting for the next attempt. */
  retry() {
    if (this.#wanted && !this.#line) this.#dial();
  }

  /** Asks for a sign of life and replaces a line that gives none. */
  probe() {
    if (!this.#wanted) return;
    if (!this.#line) this.retry();
    else this.#sendProbe(PROBE_WITHIN);
  }

  /**
   * Sends `message`, under its `id` or a new one, and gives the answer. Raises `Refused` for an error.
   *
   * `lasting`: outlives a line that is cut meanwhile, and is sent again over the next; other requests raise `Cut` then,
   * and at once where there is no line. `again`: false for what must not be done later by itself: it raises `Cut`, but
   * only when the next line is live and has told whether it was done.
   */
  request(message, { lasting = true, again = true } = {}) {
    const id = message.id ?? `${this.prefix}-${(this.#count += 1)}`;
    return new Promise((resolve, reject) => {
      if (!lasting && !this.#line) {
        reject(new Cut());
        return;
      }
      this.#pending.set(id, { message: { ...message, id }, lasting, again, resolve, reject, sent: false });
      this.#send(id);
    });
  }

  #dial() {
    this.#after("retry", null);
    this.onStatus({ status: this.#attempt ? "lost" : "connecting", retryIn: null });
    const line = this.connect();
    this.#line = { socket: line, ready: false };
    line.onopen = () => this.#greet(line);
    line.onmessage = ({ data }) => this.#line?.socket === line && this.#receive(JSON.parse(data));
    line.onclose = ({ code }) => this.#line?.socket === line && this.#lost(code);
    this.#after("greeting", GREETED_WITHIN, () => this.#giveUp());
  }

  /** The line is as good as lost, though nobody has said so. */
  #giveUp() {
    this.#hangUp();
    this.#lost(1006);
  }

  async #greet(line) {
    try {
      const welcome = await this.#sayHello(line);
      this.#after("greeting", null);
      this.#line.ready = true;
      await this.onWelcome(welcome);
      if (this.#line?.socket !== line) return;
      this.#attempt = 0;
      this.onStatus({ status: "live", retryIn: null });
      this.#takeUp();
    } catch (error) {
      if (error instanceof Cut) return;
      if (!(error instanceof Refused)) throw error;
      this.#rejected(line, error);
    }
  }

  /** What older lines have left unanswered. */
  #takeUp() {
    for (const [id, request] of [...this.#pending]) {
      if (request.again || !request.wasCut) this.#send(id);
      else this.#settle(id, () => request.reject(new Cut()));
    }
  }

  /** The hello was refused: it is said again where the caller has mended it, or the line is tried again later. */
  #rejected(line, error) {
    if (this.onRejected(error)) this.#greet(line);
    else line.close();
  }

  #sayHello(line) {
    const id = `${this.prefix}-${(this.#count += 1)}`;
    const message = { type: "hello", ...this.hello(), id };
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { message, lasting: false, resolve, reject, sent: true });
      line.send(JSON.stringify(message));
    });
  }

  #send(id) {
    const request = this.#pending.get(id);
    if (!this.#line?.ready || request.sent) return;
    request.sent = true;
    this.#line.socket.send(JSON.stringify(request.message));
    if (!this.#timers.has("slow") && !this.#isSlow) this.#after("slow", SLOW_AFTER, () => this.#becomeSlow());
  }

  #becomeSlow() {
    this.#isSlow = true;
    this.onStatus({ status: "slow", retryIn: null });
    if (![...this.#pending.values()].some(({ message }) => message.type === LONG)) this.#sendProbe(LIFE_WITHIN);
  }

  #receive(message) {
    this.#after("probe", null);
    if (message.type === "closing") this.#retryAfter = message.retry_after ?? null;
    this.onMessage(message);
    const answer =
      message.type === "error"
        ? (request) => request.reject(new Refused(message))
        : (request) => request.resolve(message);
    if (message.re) this.#settle(message.re, answer);
  }

  #settle(id, answer) {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    if (!this.#pending.size) this.#allAnswered();
    if (request) answer(request);
  }

  #allAnswered() {
    this.#after("slow", null);
    if (this.#isSlow) this.onStatus({ status: "live", retryIn: null });
    this.#isSlow = false;
  }

  #sendProbe(within) {
    const { socket, ready } = this.#line;
    if (!ready) return;
    socket.send(JSON.stringify({ type: "ping" }));
    this.#after("probe", within, () => this.#giveUp());
  }

  #lost(code) {
    this.#line = null;
    this.#isSlow = false;
    for (const name of ["greeting", "probe", "slow"]) this.#after(name, null);
    for (const [id, request] of [...this.#pending]) {
      if (request.lasting) Object.assign(request, { sent: false, wasCut: request.wasCut || request.sent });
      else this.#settle(id, () => request.reject(new Cut()));
    }
    if (code in FINAL_CODES) {
      this.#wanted = false;
      this.onStatus({ status: FINAL_CODES[code], retryIn: null });
    } else if (this.#wanted) this.#waitAndDial();
  }

  #waitAndDial() {
    const retryIn = Math.max(this.#retryAfter ?? 0, delayBefore(this.#attempt, this.world.random));
    this.#retryAfter = null;
    this.#attempt += 1;
    this.onStatus({ status: "lost", retryIn });
    this.#after("retry", retryIn, () => this.#dial());
  }

  #hangUp() {
    const socket = this.#line?.socket;
    this.#line = null;
    for (const name of [...this.#timers.keys()]) this.#after(name, null);
    socket?.close();
  }

  /** Sets the one timer of that name, or only clears it where `seconds` is null. */
  #after(name, seconds, then) {
    this.world.clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
    if (seconds === null) return;
    const fire = () => {
      this.#timers.delete(name);
      then();
    };
    this.#timers.set(name, this.world.setTimeout(fire, seconds * 1000));
  }
}

function browserWorld() {
  return {
    setTimeout: (then, milliseconds) => setTimeout(then, milliseconds),
    clearTimeout: (timer) => clearTimeout(timer),
    random: Math.random,
  };
}

function randomPrefix() {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
