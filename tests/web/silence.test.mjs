import assert from "node:assert/strict";
import { test } from "node:test";

import { start } from "./lines.mjs";

test("a line is slow two seconds after the first question that is not answered, whatever is asked later", async () => {
  const { world, lines, socket, statuses } = start();
  await lines[0].greet();
  socket.request({ type: "rooms" });

  await world.pass(1.5);
  socket.request({ type: "ping" });
  await world.pass(0.5);

  assert.equal(statuses.at(-1), "slow");
});

test("an answer that takes long makes the line slow until it comes", async () => {
  const { world, lines, statuses, socket } = start();
  await lines[0].greet();

  socket.request({ type: "act" });
  await world.pass(2);
  assert.equal(statuses.at(-1), "slow");

  await lines[0].answer({ type: "ok" });
  assert.equal(statuses.at(-1), "live");
});

test("a line that does not answer a probe is replaced", async () => {
  const { world, lines, socket } = start();
  await lines[0].greet();

  socket.probe();
  await world.pass(2);
  assert.ok(lines[0].isClosed);

  await world.pass(0.5);
  assert.equal(lines.length, 2);
});

test("a line that answers a probe is kept", async () => {
  const { world, lines, socket } = start();
  await lines[0].greet();

  socket.probe();
  await lines[0].say({ type: "pong" });
  await world.pass(10);

  assert.equal(lines.length, 1);
});

test("a line that answers nothing is replaced, and what was asked there is asked anew", async () => {
  const { world, lines, socket } = start();
  await lines[0].greet();
  const answer = socket.request({ type: "act" });

  await world.pass(11);
  await lines[1].greet();
  await lines[1].answer({ type: "ok", seq: 7 });

  assert.equal((await answer).seq, 7);
});

test("a line is kept on which anything comes, though an answer takes long", async () => {
  const { world, lines, socket } = start();
  await lines[0].greet();
  socket.request({ type: "act" });

  await world.pass(9);
  await lines[0].say({ type: "update" });
  await world.pass(60);

  assert.equal(lines.length, 1);
});

test("a line is kept on which a record is on its way, which holds up all else", async () => {
  const { world, lines, socket } = start();
  await lines[0].greet();
  socket.request({ type: "record", id: "r" });

  await world.pass(60);

  assert.equal(lines.length, 1);
});
