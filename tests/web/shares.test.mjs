import assert from "node:assert/strict";
import { test } from "node:test";

import { actsAt, sharesOf } from "../../server/web/acts.js";
import { ownShare } from "../../server/web/replay/proof.js";
import { Store } from "../../server/web/state.js";
import { lobbyRoom, playingRoom } from "./rooms.mjs";

/** Ann's page. `meanwhile(request, store)` is what it hears before it has an answer. */
function page(room, meanwhile, before = {}) {
  const sent = [];
  const values = new Map(Object.entries(before));
  const kept = { read: (name) => values.get(name) ?? null, write: (name, value) => values.set(name, value) };
  const store = new Store({ room, counted: [], me: { name: "Ann" } });
  const client = {
    askRoom(type, fields) {
      const request = { type, ...fields };
      sent.push(request);
      meanwhile(request, store);
      return Promise.resolve({ type: "ok" });
    },
    closeSheets() {},
  };
  return { act: actsAt({ store, client, kept }), sent, shares: () => sharesOf(kept) };
}

const over = playingRoom({ phase: "match_over" });
const next = playingRoom({ commitment: "c2", next_commitment: "c3" });

test("a share that has begun a match counts for it, and no other is given", async () => {
  const { act, sent, shares } = page(over, ({ entropy }, store) => store.change({ room: next, counted: [entropy] }));

  await act.ready();

  assert.equal(sent.length, 1);
  assert.equal(ownShare({ commitment: "c2", entropy: [{ value: sent[0].entropy }] }, shares()), "counted");
});

test("where the match began while a share was on its way, a new one is given under the new promise", async () => {
  const { act, sent, shares } = page(over, (_, store) => store.change({ room: next, counted: [] }));

  await act.ready();

  assert.deepEqual(
    sent.map(({ type }) => type),
    ["next", "next"],
  );
  assert.notEqual(sent[0].entropy, sent[1].entropy);
  assert.equal(ownShare({ commitment: "c3", entropy: [{ value: sent[1].entropy }] }, shares()), "counted");
});

test("a share of the lobby that came too late counts for the second match, which was promised by then", async () => {
  const { act, sent, shares } = page(lobbyRoom(), (_, store) => store.change({ room: playingRoom() }));

  await act.ready();

  assert.equal(sent.length, 1);
  assert.equal(ownShare({ commitment: "c2", entropy: [{ value: sent[0].entropy }] }, shares()), "counted");
});

test("what a page of an earlier version has kept is still known, and another share is kept beside it", async () => {
  const begins = ({ entropy }, store) => store.change({ room: next, counted: [entropy] });
  const { act, sent, shares } = page(over, begins, { shares: { c1: "old" } });

  await act.ready();

  assert.equal(ownShare({ commitment: "c1", entropy: [{ value: "old" }] }, shares()), "counted");
  assert.equal(ownShare({ commitment: "c2", entropy: [{ value: sent[0].entropy }] }, shares()), "counted");
});
