import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { placeOnTrack, scoreTrack, unbroken } from "../../server/web/pictures.js";
import { setTexts } from "../../server/web/texts.js";
import { playingRoom } from "./rooms.mjs";

const EN = readFileSync(new URL("../../server/web/i18n/en.json", import.meta.url), "utf8");
setTexts("en", JSON.parse(EN));

const SIXTY_ONE = { target: 61, unit: 1, isBar: false };
const BY_FIVES = { target: 250, unit: 5, isBar: false };

/** All nodes of a description, itself included. */
function nodesOf(node) {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

function find(node, testid) {
  return nodesOf(node).find((other) => other.attrs?.["data-testid"] === testid);
}

test("holes stand in groups of five, the last one alone", () => {
  const places = Array.from({ length: 62 }, (_, score) => placeOnTrack(score, SIXTY_ONE));
  const steps = places.slice(1).map((place, number) => place - places[number]);

  const wide = steps.flatMap((step, number) => (step > steps[0] * 1.2 ? [number + 1] : []));

  assert.deepEqual(wide, [6, 11, 16, 21, 26, 31, 36, 41, 46, 51, 56, 61]);
  assert.deepEqual([places[0], places[61]], [0, 1]);
});

test("halves of five lie between two holes", () => {
  const [five, half, ten] = [5, 7.5, 10].map((score) => placeOnTrack(score, BY_FIVES));

  assert.ok(five < half && half < ten);
  assert.ok(Math.abs(half - (five + ten) / 2) < 1e-9);
});

test("who has passed the target stands at its end", () => {
  assert.equal(placeOnTrack(263, BY_FIVES), 1);
});

test("each side has a peg where it is and one where it was", () => {
  const room = playingRoom({ scores: [41, 0] });

  const track = scoreTrack(room);

  const at = (testid) => find(track, testid).attrs.style.transform;
  assert.notEqual(at("peg-0-now"), at("peg-0-before"));
  assert.equal(at("peg-1-now"), at("peg-1-before"));
  assert.match(track.attrs["aria-label"], /41 of 61/);
});

test("a game without points in play has a bar with ticks", () => {
  const settings = { game: "block", seats: 4, target: 100 };

  const drawn = (room) => nodesOf(scoreTrack(room)).map(({ attrs }) => attrs?.class);

  assert.ok(drawn(playingRoom({ settings })).includes("track-bar"));
  assert.ok(!drawn(playingRoom()).includes("track-bar"));
});

test("names of tiles stand in parts that are not broken, and all words are there", () => {
  const parts = unbroken("Play 5-2 or 6-6, not 2026-11");

  assert.deepEqual(
    parts.filter(({ tag }) => tag).map(({ children }) => children.join("")),
    ["5-2", "6-6"],
  );
  assert.equal(parts.map((part) => part.children?.join("") ?? part).join(""), "Play 5-2 or 6-6, not 2026-11");
});
