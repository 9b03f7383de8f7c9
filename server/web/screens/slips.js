/** Presses that were meant for what was there before: whatever comes under a finger takes none at first. */

const SLIP = 500; // milliseconds

const appeared = new WeakMap();

/** `node` has come into the page. */
export function hasCome(node) {
  appeared.set(node, performance.now());
}

/** Whether a press on `node` can have been meant for it. */
export function isMeant(node) {
  return performance.now() - appeared.get(node) >= SLIP;
}
