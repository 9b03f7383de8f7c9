import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { ownShare, prove } from "../../server/web/replay/proof.js";

const RECORD = JSON.parse(readFileSync(new URL("../../seeds/records/format-1-people.json", import.meta.url), "utf8"));
const [{ value: SHARE }] = RECORD.entropy;
const OTHER = "f".repeat(64);

/** What a browser has added that had been shown these commitments. */
function shares(value, ...promises) {
  return [{ value, promises }];
}

test("a share counts that is in the record under a promise that was made before it was given", () => {
  assert.equal(ownShare(RECORD, shares(SHARE, RECORD.commitment)), "counted");
  assert.equal(ownShare(RECORD, shares(SHARE, OTHER, RECORD.commitment)), "counted");
});

test("a later share that did not count any more takes nothing from the one that did", () => {
  const given = [...shares(SHARE, RECORD.commitment), ...shares(OTHER, RECORD.commitment)];

  assert.equal(ownShare(RECORD, given), "counted");
});

test("a share that is in the record under another promise was cheated", () => {
  assert.equal(ownShare(RECORD, shares(SHARE, OTHER)), "other_promise");
});

test("a share that was given for this match and is not in its record is missing", () => {
  assert.equal(ownShare(RECORD, shares(OTHER, RECORD.commitment)), "missing");
});

test("who has added nothing to this match has no share", () => {
  assert.equal(ownShare(RECORD, []), null);
  assert.equal(ownShare(RECORD, shares(OTHER, OTHER)), null);
  assert.equal(ownShare(RECORD, shares(OTHER, OTHER, RECORD.commitment)), null);
});

test("an honest record is fair, with a share or without", async () => {
  assert.deepEqual(await prove(RECORD, []), { state: "fair", faults: [], own: null });
  assert.deepEqual(await prove(RECORD, shares(OTHER, RECORD.commitment)), {
    state: "fair",
    faults: [],
    own: "missing",
  });
});

test("another promise, or a record that does not fit its seed, is wrong", async () => {
  const other = await prove(RECORD, shares(SHARE, OTHER));
  const { state, faults } = await prove({ ...RECORD, commitment: OTHER }, []);

  assert.equal(other.state, "wrong");
  assert.equal(state, "wrong");
  assert.ok(faults.length);
});
