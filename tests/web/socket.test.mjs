import assert from "node:assert/strict";
import { test } from "node:test";

import { Cut, delayBefore, Refused } from "../../server/web/socket.js";
import { start } from "./lines.mjs";

test("hello is said first, and requests wait until it is answered", async () => {
  const { lines, socket } = start();
  socket.request({ type: "rooms" });

  await lines[0].open();
  assert.deepEqual(lines[0].types, ["hello"]);

  await lines[0].answer({ type: "welcome", rooms: [] });
  assert.deepEqual(lines[0].types, ["hello", "rooms"]);
});

test("each request gets its own answer by its id", async () => {
  const { lines, socket } = start();
  await lines[0].greet();

  const [first, second] = [socket.request({ type: "rooms" }), socket.request({ type: "ping" })];
  const [, rooms, ping] = lines[0].sent;
  await lines[0].say({ type: "pong", re: ping.id });
  await lines[0].say({ type: "rooms", rooms: [], re: rooms.id });

  assert.notEqual(rooms.id, ping.id);
  assert.equal((await first).type, "rooms");
  assert.equal((await second).type, "pong");
});

test("an error refuses the request with its code and reason", async () => {
  const { lines, socket } = start();
  await lines[0].greet();

  const request = socket.request({ type: "act" });
  lines[0].answer({ type: "error", code: "illegal_action", reason: "can_play", message: "no" });

  await assert.rejects(
    request,
    (error) => error instanceof Refused && error.code === "illegal_action" && error.reason === "can_play",
  );
});

test("a lost line is tried again, and what was not answered is sent again under the same id", async () => {
  const { world, lines, socket } = start();
  await lines[0].greet();
  const request = socket.request({ type: "act" });
  const { id } = lines[0].sent.at(-1);

  await lines[0].cut();
  await world.pass(0.5);
  await lines[1].greet();
  assert.equal(lines[1].sent.at(-1).id, id);

  await lines[1].answer({ type: "ok", seq: 5 });
  assert.equal((await request).seq, 5);
});

test("what was answered is not sent again", async () => {
  const { world, lines, socket } = start();
  await lines[0].greet();
  socket.request({ type: "act" });
  await lines[0].answer({ type: "ok" });

  await lines[0].cut();
  await world.pass(0.5);
  await lines[1].greet();

  assert.deepEqual(lines[1].types, ["hello"]);
});

test("old requests wait until the welcome has been dealt with", async () => {
  let catchUp;
  const onWelcome = () => (catchUp = socket.request({ type: "sync" }, { lasting: false }));
  const { lines, socket } = start({ onWelcome });
  socket.request({ type: "act" });

  await lines[0].greet();
  assert.deepEqual(lines[0].types, ["hello", "sync"]);

  await lines[0].answer({ type: "ok" });
  await catchUp;
  assert.deepEqual(lines[0].types, ["hello", "sync", "act"]);
});

test("a request that does not last is cut with its line", async () => {
  const { lines, socket } = start();
  await lines[0].greet();

  const request = socket.request({ type: "sync" }, { lasting: false });
  lines[0].cut();

  await assert.rejects(request, Cut);
});

test("what must not be done later by itself is cut, once the next line has told whether it was done", async () => {
  let catchUp;
  const onWelcome = () => (catchUp = lines.length > 1 && socket.request({ type: "sync" }, { lasting: false }));
  const { world, lines, socket } = start({ onWelcome });
  await lines[0].greet();
  const outcome = socket.request({ type: "act" }, { again: false }).catch((error) => error);
  let isKnown = false;
  outcome.then(() => (isKnown = true));

  await lines[0].cut();
  await world.pass(0.5);
  await lines[1].greet();
  assert.equal(isKnown, false);
  await lines[1].answer({ type: "ok" });
  await catchUp;

  assert.ok((await outcome) instanceof Cut);
  assert.deepEqual(lines[1].types, ["hello", "sync"]);
});

test("a network that swallows the greeting is given up and tried again", async () => {
  const { world, lines, statuses } = start();
  await lines[0].open();

  await world.pass(10);
  assert.equal(lines[0].isClosed, true);
  assert.equal(statuses.at(-1), "lost");
  await world.pass(0.5);

  assert.equal(lines.length, 2);
});

test("the waits grow to fifteen seconds and are spread by a fifth", () => {
  const middle = Array.from({ length: 8 }, (_, attempt) => delayBefore(attempt, () => 0.5));
  const [least, most] = [delayBefore(3, () => 0), delayBefore(3, () => 1)];

  assert.deepEqual(middle, [0.5, 1, 2, 4, 8, 15, 15, 15]);
  assert.ok(Math.abs(least - 3.2) < 1e-9 && Math.abs(most - 4.8) < 1e-9);
});

test("a server that asks for more time gets it", async () => {
  const { world, lines } = start();
  await lines[0].greet();

  await lines[0].say({ type: "closing", reason: "restart", retry_after: 3 });
  await lines[0].cut(1012);
  await world.pass(2.9);
  assert.equal(lines.length, 1);

  await world.pass(0.1);
  assert.equal(lines.length, 2);
});

for (const [code, status] of [
  [4001, "outdated"],
  [4003, "elsewhere"],
]) {
  test(`close code ${code} is final: ${status}`, async () => {
    const { world, lines, statuses, socket } = start();
    await lines[0].greet();

    await lines[0].cut(code);
    await world.pass(100);
    assert.equal(lines.length, 1);
    assert.equal(statuses.at(-1), status);

    socket.open();
    assert.equal(lines.length, 2);
  });
}

test("other close codes are tried again", async () => {
  for (const code of [1001, 1006, 1008, 1011, 1012, 1013, 4008]) {
    const { world, lines } = start();
    await lines[0].greet();

    await lines[0].cut(code);
    await world.pass(1);

    assert.equal(lines.length, 2, String(code));
  }
});

test("a refused hello is said again where the caller has mended it", async () => {
  const fields = { name: "Ann", token: "old" };
  const onRejected = ({ code }) => code === "unauthorized" && delete fields.token;
  const { lines, statuses } = start({ hello: () => fields, onRejected });

  await lines[0].open();
  await lines[0].answer({ type: "error", code: "unauthorized", message: "" });
  assert.equal("token" in lines[0].sent.at(-1), false);

  await lines[0].answer({ type: "welcome", rooms: [] });
  assert.equal(statuses.at(-1), "live");
});

test("trying now does not wait for the next attempt", async () => {
  const { lines, socket } = start();
  await lines[0].greet();
  await lines[0].cut();

  socket.retry();

  assert.equal(lines.length, 2);
});

test("hanging up cuts what is pending and stays silent", async () => {
  const { world, lines, socket } = start();
  await lines[0].greet();
  const request = socket.request({ type: "act" });

  socket.close();

  await assert.rejects(request, Cut);
  await world.pass(100);
  assert.equal(lines.length, 1);
});

test("late messages of a line that was given up are not heard", async () => {
  const { world, lines, messages, socket } = start();
  await lines[0].greet();
  socket.probe();
  await world.pass(2);
  const heard = messages.length;

  await lines[0].say({ type: "update" });

  assert.equal(messages.length, heard);
});
