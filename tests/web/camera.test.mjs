import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera } from "../../server/web/camera.js";
import { holding, zoomed } from "../../server/web/camera.js";
import { framed, rotated } from "../../server/web/geometry.js";

const SIZE = { w: 400, h: 300 };

/** Where a lattice point is on the screen in `view`. */
function onScreen(view, point, rotation = 0) {
  const { x, y } = rotated(point, rotation);
  return { x: view.x + x * view.scale, y: view.y + y * view.scale };
}

test("four quarter turns lead back", () => {
  let point = { x: 3, y: -2 };
  for (let turn = 0; turn < 4; turn += 1) point = rotated(point, 90);

  assert.deepEqual(point, { x: 3, y: -2 });
});

test("everything is framed with a margin, in the middle, in every rotation", () => {
  const bounds = { x: -14, y: -6, w: 30, h: 11 };
  for (const rotation of [0, 90, 180, 270]) {
    const view = framed([bounds], SIZE, rotation);
    const [a, b] = [
      onScreen(view, { x: bounds.x, y: bounds.y }, rotation),
      onScreen(view, { x: bounds.x + bounds.w, y: bounds.y + bounds.h }, rotation),
    ];

    assert.ok(Math.min(a.x, b.x, a.y, b.y) >= 12 - 1e-6);
    assert.ok(Math.max(a.x, b.x) <= 388 + 1e-6 && Math.max(a.y, b.y) <= 288 + 1e-6);
    assert.ok(Math.abs(a.x + b.x - 400) < 1e-6 && Math.abs(a.y + b.y - 300) < 1e-6);
  }
});

test("few tiles are shown no larger than sixty pixels a half", () => {
  const view = framed([{ x: -1, y: -1, w: 2, h: 2 }], SIZE, 0);

  assert.equal(view.scale * 2, 60);
});

test("what would lie under the tools is moved aside, in the way that costs least", () => {
  const tools = { x: 350, y: 0, w: 50, h: 300 };
  const row = { x: 0, y: 250, w: 400, h: 50 };
  const long = { x: 0, y: 0, w: 40, h: 4 };

  const beside = framed([long], { ...SIZE, covered: [tools] }, 0);
  const above = framed([{ x: 0, y: 0, w: 40, h: 28 }], { ...SIZE, covered: [row] }, 0);
  const free = framed([{ x: 0, y: 0, w: 4, h: 2 }], { ...SIZE, covered: [tools, row] }, 0);

  assert.ok(onScreen(beside, { x: 40, y: 0 }).x <= 350);
  assert.ok(onScreen(above, { x: 0, y: 28 }).y <= 250);
  assert.deepEqual(free, framed([{ x: 0, y: 0, w: 4, h: 2 }], SIZE, 0));
});

test("zooming keeps the point under the finger, within limits", () => {
  const view = { scale: 20, x: 100, y: 80 };

  const nearer = zoomed(view, 2, { x: 140, y: 100 });
  const nearest = zoomed(view, 1000, { x: 0, y: 0 });
  const furthest = zoomed(view, 0.001, { x: 0, y: 0 });

  assert.deepEqual(onScreen(nearer, { x: 2, y: 1 }), { x: 140, y: 100 });
  assert.deepEqual([nearest.scale * 2, furthest.scale * 2], [120, 10]);
});

test("the view that was left is remembered", () => {
  let kept = null;
  const memory = { read: () => kept, write: (view) => (kept = view) };
  const camera = new Camera(memory, () => {});

  camera.rotate(90);
  camera.zoomIn();
  const again = new Camera(memory, () => {});

  assert.deepEqual(again.view, camera.view);
  assert.deepEqual([again.view.rotation, again.view.mode], [90, "manual"]);
});

test("a lattice point is found again where it is seen", () => {
  const camera = new Camera({ read: () => ({ rotation: 270, scale: 13, x: 40, y: 55 }), write: () => {} }, () => {});

  const { x, y } = camera.toLattice(camera.toScreen({ x: 7, y: -3 }));

  assert.ok(Math.abs(x - 7) < 1e-9 && Math.abs(y + 3) < 1e-9);
});

test("one tile is held in the frame, the one that is nearest, and whole", () => {
  const tiles = [
    { x: 0, y: 0, w: 4, h: 2 },
    { x: 30, y: 0, w: 4, h: 2 },
  ];
  const size = { w: 400, h: 300 };

  const beyondLeft = holding(tiles, { scale: 10, rotation: 0, x: -900, y: 100 }, size);
  const inside = holding(tiles, { scale: 10, rotation: 0, x: 50, y: 100 }, size);
  const turned = holding(tiles, { scale: 10, rotation: 90, x: 100, y: 900 }, size);

  assert.deepEqual([beyondLeft.x, beyondLeft.y], [-300, 100]);
  assert.deepEqual([inside.x, inside.y], [50, 100]);
  assert.deepEqual([turned.x, turned.y], [100, 260]);
});

test("a tile that is larger than the frame is held in its middle", () => {
  const view = holding([{ x: 0, y: 0, w: 4, h: 2 }], { scale: 60, rotation: 0, x: 500, y: 0 }, { w: 200, h: 200 });

  assert.equal(view.x + 120, 100);
});

/** A board of that size, for a camera; what it listens to is never heard. */
function boardOf(width, height) {
  return {
    addEventListener: () => {},
    getBoundingClientRect: () => ({ left: 0, top: 0, width, height }),
    classList: { add: () => {}, remove: () => {} },
    closest: () => ({ querySelectorAll: () => [] }),
  };
}

/** A camera at a board of 400 x 300. */
function cameraAt(kept = null) {
  globalThis.window = { addEventListener: () => {} };
  globalThis.ResizeObserver = class {
    observe() {}
  };
  const camera = new Camera({ read: () => kept, write: () => {} }, () => {});
  camera.attach(boardOf(400, 300), new AbortController().signal);
  return camera;
}

const line = (count) => Array.from({ length: count }, (_, place) => ({ x: 4 * place, y: 0, w: 4, h: 2 }));

test("within a deal it comes no nearer, but in a new one and where tiles were taken back it does", () => {
  const camera = cameraAt();
  camera.follow(line(5), [], 1);
  const far = camera.view.scale;

  camera.follow([...line(4), { x: 8, y: 2, w: 2, h: 2 }], [], 1);
  const afterPlay = camera.view.scale;
  camera.follow(line(3), [], 1);
  const takenBack = camera.view.scale;
  camera.follow(line(5), [], 1);
  camera.follow(line(1), [], 2);

  assert.equal(afterPlay, far);
  assert.ok(takenBack > far);
  assert.equal(camera.view.scale, 30);
});

test("what was set by hand stays in a new deal", () => {
  const camera = cameraAt();
  camera.follow(line(5), [], 1);
  camera.zoomIn();
  const { scale, x, y } = camera.view;

  camera.follow([{ x: 0, y: 0, w: 4, h: 2 }], [], 2);

  assert.deepEqual([camera.view.scale, camera.view.x, camera.view.y], [scale, x, y]);
});

test("a deal begins upright on an upright board and lying on a lying one", () => {
  assert.equal(cameraAt().view.rotation, 0);

  const camera = new Camera({ read: () => null, write: () => {} }, () => {});
  camera.attach(boardOf(300, 400), new AbortController().signal);

  assert.equal(camera.view.rotation, 90);
});
