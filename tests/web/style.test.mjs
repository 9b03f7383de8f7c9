import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** The colours of the first `:root` block of a style sheet, name -> "#rrggbb". */
function coloursOf(name) {
  const style = readFileSync(new URL(`../../server/web/${name}`, import.meta.url), "utf8");
  const block = style.slice(style.indexOf(":root {"));
  const lines = block.slice(0, block.indexOf("}")).matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g);
  return Object.fromEntries([...lines].map(([, key, value]) => [key, value]));
}

const LIGHT = coloursOf("style.css");
const DARK = { ...LIGHT, ...coloursOf("dark.css") };

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const SIDES = ["side-0", "side-1", "side-2", "side-3"];
const PAIRS = [
  ...["text", "muted", "accent", "warn", ...SIDES].flatMap((name) => [
    [name, "bg", 4.5],
    [name, "panel", 4.5],
  ]),
  ["on-accent", "accent", 4.5],
  ["warn", "warn-bg", 4.5],
  ["edge", "bg", 3],
  ["edge", "panel", 3],
  ["tile", "felt", 3],
  ["legal", "felt", 3],
  ["pip", "tile", 14],
];

for (const [scheme, palette] of [
  ["light", LIGHT],
  ["dark", DARK],
]) {
  test(`text, lines and tiles stand out in the ${scheme} scheme`, () => {
    const weak = PAIRS.map(([one, other, least]) => [one, other, least, contrast(palette[one], palette[other])])
      .filter(([, , least, measured]) => !(measured >= least))
      .map(([one, other, least, measured]) => `${one} on ${other}: ${measured.toFixed(2)} < ${least}`);

    assert.deepEqual(weak, []);
  });
}

test("every colour of pips stands out on a tile of either scheme", () => {
  const modes = readFileSync(new URL("../../server/web/modes.css", import.meta.url), "utf8");
  const pips = [...modes.matchAll(/--pip: (#[0-9a-f]{6});/g)].map(([, colour]) => colour);

  assert.equal(new Set(pips).size, 5);
  for (const pip of pips)
    for (const { tile } of [LIGHT, DARK]) assert.ok(contrast(pip, tile) >= 5.4, `${pip} on ${tile}`);
});

test("the two schemes differ", () => {
  assert.notEqual(LIGHT.bg, DARK.bg);
});
