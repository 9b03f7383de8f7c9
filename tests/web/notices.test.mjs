import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Announcer, LineNotice, toast } from "../../server/web/notices.js";
import { Store } from "../../server/web/state.js";
import { setTexts } from "../../server/web/texts.js";

let now = 0;

beforeEach(() => {
  now = 1000;
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  mock.method(performance, "now", () => now);
  setTexts("en", {
    "banner.lost": "Lost, {count}",
    "banner.back": "Back, {count}",
    "banner.back_now": "Back",
    "reason.offline": "Offline",
  });
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
  delete globalThis.document;
});

function pass(milliseconds) {
  for (let gone = 0; gone < milliseconds; gone += 50) {
    now += 50;
    mock.timers.tick(50);
  }
}

/** A region that remembers each text that it was given, with the time. */
function region() {
  const said = [];
  return {
    said,
    set textContent(text) {
      said.push([now, text]);
    },
  };
}

function announcer() {
  const [one, other, alert] = [region(), region(), region()];
  return { speaker: new Announcer([one, other], alert), one, other, alert };
}

/** All that was read out, [when, what]. */
function heard({ one, other }) {
  return [...one.said, ...other.said].filter(([, text]) => text).sort(([a], [b]) => a - b);
}

test("messages within 300 ms are one, and its region is cleared 150 ms before it is written", () => {
  const page = announcer();
  page.speaker.say("Ann played 3-6.");
  pass(200);
  page.speaker.say("Your turn.");
  pass(1000);

  assert.deepEqual(heard(page), [[1450, "Ann played 3-6. Your turn."]]);
  const written = [page.one, page.other].find(({ said }) => said.some(([, text]) => text));
  assert.deepEqual(written.said[0], [1300, ""]);
});

test("messages are 700 ms apart at least", () => {
  const page = announcer();
  page.speaker.say("one");
  pass(350);
  page.speaker.say("two");
  pass(2000);

  const [[first], [second]] = heard(page);
  assert.ok(second - first >= 700);
});

test("the same text twice is read twice, by the two regions in turn", () => {
  const page = announcer();
  for (let time = 0; time < 2; time += 1) {
    page.speaker.say("Max knocked.");
    pass(1500);
  }

  assert.deepEqual(
    heard(page).map(([, text]) => text),
    ["Max knocked.", "Max knocked."],
  );
  assert.ok([page.one, page.other].every(({ said }) => said.some(([, text]) => text === "Max knocked.")));
});

test("a refusal is an alert, and is read at once", () => {
  const page = announcer();
  page.speaker.warn("1-2 fits nowhere");
  pass(150);

  assert.deepEqual(page.alert.said.at(-1), [1150, "1-2 fits nowhere"]);
  assert.deepEqual(heard(page), []);
});

function line() {
  const said = [];
  const link = { status: "live", secondsLeft: null, shown: false, restarting: false, missed: null };
  const store = new Store({ link, toasts: [] });
  return { said, store, notice: new LineNotice(store, { say: (text) => said.push(text) }) };
}

test("a line that is lost for 1.5 s is told of, once, however long it counts down", () => {
  const { said, store, notice } = line();

  notice.changed({ status: "lost", retryIn: 4 });
  pass(1250);
  assert.equal(store.state.link.shown, false);
  pass(250);
  assert.equal(store.state.link.shown, true);
  pass(2000);

  assert.equal(store.state.link.secondsLeft, 1);
  assert.deepEqual(said, ["Lost, 3"]);
});

test("who comes back is told for four seconds how many moves were missed", () => {
  const { said, store, notice } = line();
  notice.changed({ status: "lost", retryIn: 1 });
  pass(2000);

  notice.missed = 3;
  notice.changed({ status: "live", retryIn: null });
  const [told, shown] = [store.state.link.missed, said.at(-1)];
  pass(4000);

  assert.deepEqual([told, shown], [3, "Back, 3"]);
  assert.equal(store.state.link.missed, null);
});

test("a line that is back before anybody has seen that it was lost is not talked about", () => {
  const { said, store, notice } = line();
  notice.changed({ status: "lost", retryIn: 0.5 });
  pass(500);

  notice.changed({ status: "live", retryIn: null });
  pass(5000);

  assert.deepEqual([said, store.state.link.missed], [[], null]);
});

test("that there is no connection is said no more when the line is back; what else was said is", () => {
  const { store, notice } = line();
  notice.changed({ status: "lost", retryIn: 1 });
  for (const text of ["Not now", "Offline"]) toast(store, text, { text: "Stays" });

  notice.changed({ status: "live", retryIn: null });

  assert.deepEqual(
    store.state.toasts.map(({ text }) => text),
    ["Not now"],
  );
});

test("a toast with a button stays; another one goes after five seconds", () => {
  globalThis.document = { querySelector: () => null };
  const store = new Store({ toasts: [] });

  toast(store, "Something went wrong", { text: "Reload", press() {} });
  toast(store, "Link copied");
  pass(5000);

  assert.deepEqual(
    store.state.toasts.map(({ text }) => text),
    ["Something went wrong"],
  );
});

test("a toast that is pointed at stays until it has been left alone for as long again", () => {
  let pointed = true;
  const node = { matches: (selector) => selector.includes(":hover") && pointed };
  globalThis.document = { querySelector: () => node };
  const store = new Store({ toasts: [] });
  toast(store, "Link copied");

  pass(5000);
  const read = store.state.toasts.length;
  pointed = false;
  pass(5000);

  assert.deepEqual([read, store.state.toasts.length], [1, 0]);
});
