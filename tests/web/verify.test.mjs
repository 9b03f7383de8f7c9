import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { canVerify, commitment, deal, lot, matchKey, verify } from "../../server/web/verify.js";

const PAGE = readFileSync(new URL("../../docs/fair-deals.md", import.meta.url), "utf8");
const VECTORS = JSON.parse(/^## Vectors$.*?^```json$(.*?)^```$/ms.exec(PAGE)[1]);
const SOURCE = readFileSync(new URL("../../server/web/verify.js", import.meta.url), "utf8");

const hex = (bytes) => Buffer.from(bytes).toString("hex");

for (const [number, vector] of VECTORS.entries()) {
  test(`vector ${number + 1} of the page has its commitment and its match key`, async () => {
    assert.equal(await commitment(vector.seed), vector.commitment);
    assert.equal(hex(await matchKey(vector.seed, vector.entropy)), vector.match_key);
  });

  test(`the deals and lots of vector ${number + 1} are dealt again`, async () => {
    const key = await matchKey(vector.seed, vector.entropy);
    for (const { number, hands, stock, lot: seat } of vector.deals) {
      const dealt = await deal(key, number, vector.seats, vector.hand_size);
      assert.deepEqual(dealt.hands, hands.map((hand) => hand.split(" ")));
      assert.deepEqual(dealt.stock, stock.split(" "));
      assert.equal(await lot(key, number, vector.seats), seat);
    }
  });
}

test("node can verify", () => assert.equal(canVerify, true));

test("what is no record at all is at fault and proves nothing", async () => {
  for (const value of [null, 7, "record", {}, { format: 1, steps: [] }]) {
    const { proved, faults } = await verify(value);
    assert.deepEqual(proved, []);
    assert.ok(faults.length);
  }
});

test("the second verifier stays short enough to be read", () => {
  assert.ok(SOURCE.split("\n").length <= 150);
});
