import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { ownShare, prove } from "../../server/web/replay/proof.js";

const RECORD = JSON.parse(readFileSync(new URL("../../seeds/records/format-1-people.json", import.meta.url), "utf8"));
const [{ value: SHARE }] = RECORD.entropy;
const OTHER = "f".repeat(64);

test("a share counts that is in the record under the promise it was given for", () => {
  assert.equal(ownShare(RECORD, { [RECORD.commitment]: SHARE }), "counted");
});

test("a share that is in the record under another promise was cheated", () => {
  assert.equal(ownShare(RECORD, { [OTHER]: SHARE }), "other_promise");
});

test("a share that was given for this match and is not in its record is missing", () => {
  assert.equal(ownShare(RECORD, { [RECORD.commitment]: OTHER }), "missing");
});

test("who has added nothing to this match has no share", () => {
  assert.equal(ownShare(RECORD, {}), null);
  assert.equal(ownShare(RECORD, { [OTHER]: OTHER }), null);
});

test("an honest record is fair, with a share or without", async () => {
  assert.deepEqual(await prove(RECORD, {}), { state: "fair", faults: [], own: null });
  assert.deepEqual(await prove(RECORD, { [RECORD.commitment]: OTHER }), { state: "fair", faults: [], own: "missing" });
});

test("another promise, or a record that does not fit its seed, is wrong", async () => {
  const other = await prove(RECORD, { [OTHER]: SHARE });
  const { state, faults } = await prove({ ...RECORD, commitment: OTHER }, {});

  assert.equal(other.state, "wrong");
  assert.equal(state, "wrong");
  assert.ok(faults.length);
});
