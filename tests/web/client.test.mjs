import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Client } from "../../server/web/client.js";
import { Store } from "../../server/web/state.js";
import { setTexts } from "../../server/web/texts.js";
import { ENGLISH } from "./words.mjs";

setTexts("en", ENGLISH);
mock.timers.enable({ apis: ["setTimeout"] }); // toasts that go by themselves need not

const SERVER_FAULTS = [{ code: "internal" }, { code: "unauthorized" }, { code: "of_another_version" }];

/** The buttons of the toasts that a page shows after that refusal. */
function buttonsAfter(refusal) {
  const store = new Store({ toasts: [] });
  new Client({ store, announcer: { warn() {} } }).tell(refusal);
  return store.state.toasts.map(({ button }) => button?.text ?? null);
}

test("a refusal that only another page helps against comes with a way to load it", () => {
  for (const refusal of SERVER_FAULTS) assert.deepEqual(buttonsAfter(refusal), ["Reload"]);
});

test("a table without a free seat can be watched", () => {
  assert.deepEqual(buttonsAfter({ code: "room_full" }), ["Watch"]);
});

test("any other refusal goes by itself", () => {
  assert.deepEqual(buttonsAfter({ code: "not_your_turn" }), [null]);
});
