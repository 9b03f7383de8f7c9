import assert from "node:assert/strict";
import { test } from "node:test";

import {
  boundsOf,
  framed,
  insideBoard,
  isDouble,
  layOut,
  nextPlaces,
  pipsOf,
  placeFor,
} from "../../server/web/geometry.js";

const ENDS = { A: "left", B: "right", C: "up", D: "down" };

/** The chain of `pattern`, e.g. "S B:S B:D": which arm, single or double. The pips are made up and need not match. */
function chainOf(pattern, branching) {
  const plays = pattern.split(" ").map((word, number) => {
    const [end, kind] = word.includes(":") ? word.split(":") : [null, word];
    return { tile: kind === "D" ? `${number}-${number}` : `${number}-${number + 1}`, end: end && ENDS[end] };
  });
  return layOut(plays, branching);
}

function corners(chain) {
  return chain.tiles.map(({ x, y, w, h }) => `${x},${y},${w},${h}`).join(" ");
}

test("a line of fourteen tiles lies where the golden vectors say", () => {
  const chain = chainOf("S B:S B:D B:S A:S B:S A:S B:S B:D B:S A:S A:S A:D A:S", false);

  assert.equal(
    corners(chain),
    "-2,-1,4,2 2,-1,4,2 6,-2,2,4 8,-1,4,2 -6,-1,4,2 12,-1,4,2 -10,-1,4,2 14,1,2,4 " +
      "13,5,4,2 9,5,4,2 -10,-5,2,4 -10,-7,4,2 -6,-8,2,4 -4,-7,4,2",
  );
});

test("four arms lie where the golden vectors say", () => {
  const chain = chainOf("S B:D A:S B:S C:S D:S D:D D:S D:S D:S B:S B:S B:S B:S B:D B:S", true);

  assert.equal(
    corners(chain),
    "-2,-1,4,2 2,-2,2,4 -6,-1,4,2 4,-1,4,2 2,-6,2,4 2,2,2,4 1,6,4,2 2,8,2,4 " +
      "-2,10,4,2 -4,8,2,4 8,-1,4,2 12,-1,4,2 16,-1,4,2 18,1,2,4 17,5,4,2 13,5,4,2",
  );
});

test("a chain that goes on keeps its tiles, and another one has its own", () => {
  const plays = chainOf("S B:D A:S B:S C:S D:S", true).plays;
  const before = layOut(plays.slice(0, 4), true);

  const after = layOut(plays, true, before);
  const other = layOut([plays[0], plays[2]], true, after);

  assert.ok(before.tiles.every((tile, at) => after.tiles[at] === tile));
  assert.deepEqual(after, layOut(plays, true));
  assert.deepEqual(other, layOut([plays[0], plays[2]], true));
});

test("the half that matches lies next to its neighbour", () => {
  const chain = layOut([
    { tile: "1-4", end: null },
    { tile: "0-1", end: "left" },
    { tile: "3-4", end: "right" },
  ]);

  assert.deepEqual(
    chain.tiles.map((tile) => tile.halves),
    [
      [1, 4],
      [0, 1],
      [4, 3],
    ],
  );
});

test("a tile lies where its place was shown", () => {
  const plays = [
    { tile: "1-4", end: null },
    { tile: "4-4", end: "right" },
  ];

  const place = placeFor(layOut(plays), "3-4", "right");

  assert.deepEqual(place, layOut([...plays, { tile: "3-4", end: "right" }]).tiles[2]);
});

test("the opening has one place, in the middle", () => {
  const place = placeFor(layOut([]), "2-5", "start");

  assert.deepEqual(place, { tile: "2-5", x: -2, y: -1, w: 4, h: 2, halves: [2, 5] });
});

test("no double is expected at an end where a double lies", () => {
  const chain = layOut([{ tile: "2-2", end: null }]);

  assert.equal(nextPlaces(chain, "right").length, 1);
});

test("a spinner on a line that has turned becomes the middle with the old line behind it", () => {
  const singles = Array.from({ length: 13 }, () => "B:S").join(" ");
  const bent = chainOf(`S ${singles}`, true);
  const chain = chainOf(`S ${singles} B:D`, true);

  assert.ok(bent.arms.right.bent);
  assert.equal(bent.recentred, null);
  assert.equal(chain.recentred, chain.plays.at(-1).tile);
  assert.deepEqual(boundsOf([chain.tiles.at(-1)]), { x: -1, y: -2, w: 2, h: 4 });
  assert.ok(chain.tiles.slice(0, -1).every((tile) => tile.x + tile.w <= -1));
  assertApart(chain.tiles);
});

test("whatever is played, no two tiles overlap and no laid tile moves", () => {
  for (let seed = 1; seed <= 600; seed += 1) {
    const random = generator(seed);
    const branching = seed % 2 === 0;
    walk(random, branching, seed % 3 === 0 ? valueFree : shuffledSet);
  }
});

/** Plays random tiles on random ends and checks the chain after each. */
function walk(random, branching, source) {
  let chain = layOut([], branching);
  let plays = [];
  for (const next of source(random, branching)) {
    const play = next(chain);
    if (!play) continue;
    const before = chain;
    plays = [...plays, play];
    chain = layOut(plays, branching);
    assertApart(chain.tiles);
    if (!wasRecentred(before, chain)) assert.deepEqual(chain.tiles.slice(0, -1), before.tiles);
    assertPlacesAreFree(chain);
  }
  assert.ok(chain.tiles.length > 3);
}

function wasRecentred(before, after) {
  return (
    before.spinner === null && after.spinner !== null && Boolean(before.arms.left?.bent || before.arms.right?.bent)
  );
}

/** All 28 tiles in random order, each on a random end that it matches; those that match none are left out. */
function* shuffledSet(random) {
  const tiles = [];
  for (let low = 0; low <= 6; low += 1) for (let high = low; high <= 6; high += 1) tiles.push(`${low}-${high}`);
  while (tiles.length) {
    const [tile] = tiles.splice(Math.floor(random() * tiles.length), 1);
    yield (chain) => {
      if (!chain.tiles.length) return { tile, end: null };
      const ends = openEnds(chain).filter((end) => pipsOf(tile).includes(chain.arms[end].value));
      return ends.length ? { tile, end: ends[Math.floor(random() * ends.length)] } : null;
    };
  }
}

/** Singles and doubles as they come, on ends with a leaning to one of them; two doubles never meet. */
function* valueFree(random) {
  const favourite = ["left", "right", "up", "down"][Math.floor(random() * 4)];
  for (let number = 0; number < 28; number += 1) {
    yield (chain) => {
      const wanted = random() < 0.3;
      if (!chain.tiles.length) return { tile: wanted ? "0-0" : "0-100", end: null };
      const ends = openEnds(chain);
      const end = ends.includes(favourite) && random() < 0.7 ? favourite : ends[Math.floor(random() * ends.length)];
      const near = chain.arms[end].value;
      const double =
        wanted && chain.arms[end].last !== "cross" && !chain.tiles.some((tile) => tile.tile === `${near}-${near}`);
      return { tile: double ? `${near}-${near}` : `${near}-${200 + number}`, end };
    };
  }
}

/** The ends that tiles can be laid on; the spinner's own arms open when both its sides on the line are used. */
function openEnds(chain) {
  if (chain.spinner === null) return ["left", "right"];
  const spinner = chain.tiles.find((tile) => tile.tile === chain.spinner);
  const used = chain.arms.left.t < spinner.x && chain.arms.right.t > spinner.x + spinner.w;
  return used || chain.arms.left.bent || chain.arms.right.bent ? ["left", "right", "up", "down"] : ["left", "right"];
}

test("every pattern of singles and doubles on one arm keeps its rows apart", () => {
  for (const pattern of patterns(12)) {
    assertApart(chainOf(`S ${pattern.map((kind) => `B:${kind}`).join(" ")}`, false).tiles);
    const cross = `D A:S B:S C:S D:S ${pattern.map((kind) => `D:${kind}`).join(" ")}`;
    assertApart(chainOf(cross, true).tiles);
  }
});

/** All rows of that many singles and doubles in which no two doubles meet. */
function patterns(length) {
  if (!length) return [[]];
  return patterns(length - 1).flatMap((row) =>
    row.at(-1) === "D" ? [[...row, "S"]] : [row.concat("S"), row.concat("D")],
  );
}

/** Boards {w, h, rotation} with the pixels that half a tile has there: in one of fifty deals less, in half of them more. */
const VIEWS = [
  { w: 868, h: 470, rotation: 0, line: [30, 34], cross: [20, 28] },
  { w: 390, h: 430, rotation: 90, line: [24, 27], cross: [13, 20] },
  { w: 360, h: 290, rotation: 0, line: [18, 20], cross: [10, 16] },
  { w: 560, h: 250, rotation: 0, line: [15, 17], cross: [10, 15] },
];

test("on every board a long line and a long cross are seen and all their ends can be tapped", () => {
  for (const kind of ["line", "cross"]) {
    const chains = Array.from({ length: 200 }, (_, seed) => longest(generator(seed + 1), kind === "cross"));
    for (const { w, h, rotation, ...least } of VIEWS) {
      const seen = chains.map((chain) => lookAt(chain, { w, h }, rotation));
      const sizes = seen.map(({ half }) => half).sort((a, b) => a - b);

      const [worst, median] = [sizes[Math.floor(sizes.length / 50)], sizes[sizes.length / 2]];
      assert.ok(worst >= least[kind][0] && median >= least[kind][1], `${kind} ${w} x ${h}: ${worst} / ${median}`);
      assert.ok(Math.min(...seen.map(({ gap }) => gap)) >= 24, `${kind} ${w} x ${h}: ends too close to be told apart`);
    }
  }
});

/** A chain in which as many tiles as possible lie. */
function longest(random, branching) {
  let chain = layOut([], branching);
  let plays = [];
  for (const next of [...shuffledSet(random), ...shuffledSet(random)]) {
    const play = next(chain);
    if (!play || plays.some(({ tile }) => tile === play.tile)) continue;
    plays = [...plays, play];
    chain = layOut(plays, branching);
  }
  return chain;
}

/** How large half a tile is where everything is shown, and how far apart the nearest two ends are, in pixels. */
function lookAt(chain, size, rotation) {
  const places = openEnds(chain).map((end) => nextPlaces(chain, end));
  const { scale } = framed([...chain.tiles, ...places.flat()], size, rotation);
  const middles = places.map(([{ x, y, w, h }]) => [x + w / 2, y + h / 2]);
  const gaps = middles.flatMap((one, number) =>
    middles.slice(number + 1).map((other) => Math.hypot(one[0] - other[0], one[1] - other[1])),
  );
  return { half: scale * 2, gap: Math.min(...gaps) * scale };
}

function assertPlacesAreFree(chain) {
  const groups = openEnds(chain).map((end) => nextPlaces(chain, end));
  for (const place of groups.flat()) for (const tile of chain.tiles) assert.ok(!overlap(place, tile));
  groups.forEach((group, number) => {
    for (const other of groups.slice(number + 1).flat()) for (const place of group) assert.ok(!overlap(place, other));
  });
}

function assertApart(tiles) {
  tiles.forEach((tile, number) => {
    for (const other of tiles.slice(number + 1)) {
      assert.ok(!overlap(tile, other), `${JSON.stringify(tile)} and ${JSON.stringify(other)}`);
    }
  });
  // Each tile but the first touches the one that it was laid to, and none is nearer than a step to any other.
  assert.equal(pairsWithin(tiles, 1), tiles.length - 1);
}

function pairsWithin(tiles, distance) {
  const gap = (a, b) => Math.max(a.x - b.x - b.w, b.x - a.x - a.w, a.y - b.y - b.h, b.y - a.y - a.h);
  return tiles.reduce(
    (count, tile, number) => count + tiles.slice(number + 1).filter((other) => gap(tile, other) < distance).length,
    0,
  );
}

function overlap(a, b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test("a label at the edge of the board is moved inside, and one out of sight stays there", () => {
  const camera = { view: { x: 100, y: 100, scale: 10, rotation: 0 }, size: { w: 200, h: 200 } };
  const label = { w: 40, h: 20 };

  assert.deepEqual(insideBoard({ x: 0, y: 0 }, camera, label), [0, 0]);
  assert.deepEqual(insideBoard({ x: 9, y: 0 }, camera, label), [-12, 0]);
  assert.deepEqual(insideBoard({ x: 0, y: -9.5 }, camera, label), [0, 7]);
  assert.deepEqual(insideBoard({ x: 0, y: 30 }, camera, label), [0, 0]);
});
