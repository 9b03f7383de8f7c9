/** Lines to a server, in a world whose clock moves only when it is told to. */

import { Socket } from "../../server/web/socket.js";

/** A clock that moves only when it is told to. */
class World {
  #now = 0;
  #timers = [];

  random = () => 0.5;

  setTimeout(then, milliseconds) {
    const timer = { at: this.#now + milliseconds, then };
    this.#timers.push(timer);
    return timer;
  }

  clearTimeout(timer) {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  async pass(seconds) {
    const until = this.#now + seconds * 1000;
    for (let due = this.#due(until); due; due = this.#due(until)) {
      this.clearTimeout(due);
      this.#now = due.at;
      due.then();
      await settled();
    }
    this.#now = until;
  }

  #due(until) {
    return this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  }
}

/** The server's side of one connection. */
class Line {
  sent = [];
  isClosed = false;

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
  }

  async open() {
    this.onopen();
    await settled();
  }

  async say(message) {
    this.onmessage({ data: JSON.stringify(message) });
    await settled();
  }

  /** Answers the last message that was sent under an id. */
  answer(message) {
    return this.say({ ...message, re: this.sent.findLast(({ id }) => id).id });
  }

  async greet() {
    await this.open();
    await this.answer({ type: "welcome", player: "p", token: "t", rooms: [] });
  }

  async cut(code = 1006) {
    this.onclose({ code });
    await settled();
  }

  get types() {
    return this.sent.map(({ type }) => type);
  }
}

export const settled = () => new Promise((resolve) => setImmediate(resolve));

export function start(options = {}) {
  const world = new World();
  const lines = [];
  const statuses = [];
  const messages = [];
  const socket = new Socket({
    connect: () => lines[lines.push(new Line()) - 1],
    hello: () => ({ name: "Ann" }),
    onMessage: (message) => messages.push(message),
    onWelcome: () => {},
    onRejected: () => false,
    onStatus: ({ status }) => statuses.push(status),
    world,
    prefix: "x",
    ...options,
  });
  socket.open();
  return { world, lines, statuses, messages, socket };
}
