import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const WEB = new URL("../../server/web/", import.meta.url);
const SHEETS = readdirSync(WEB).filter((name) => name.endsWith(".css"));
const STYLES = new Map(SHEETS.map((name) => [name, readFileSync(new URL(name, WEB), "utf8")]));

/** The colours of the first `:root` block of a style sheet, name -> "#rrggbb". */
function coloursOf(name) {
  const style = STYLES.get(name);
  const block = style.slice(style.indexOf(":root {"));
  const lines = block.slice(0, block.indexOf("}")).matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g);
  return Object.fromEntries([...lines].map(([, key, value]) => [key, value]));
}

const LIGHT = coloursOf("style.css");
const DARK = { ...LIGHT, ...coloursOf("dark.css") };
const SCHEMES = [
  ["light", LIGHT],
  ["dark", DARK],
];

/** "#rrggbb", or "#rgb", as three numbers up to 255. */
function channels(colour) {
  const digits = colour.slice(1).replace(/^(.)(.)(.)$/, "$1$1$2$2$3$3");
  return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16));
}

/** What is seen where so much (0 to 1) of `one` lies over `other`. */
function mixed(one, share, other) {
  const under = channels(other);
  const parts = channels(one).map((part, at) => Math.round(part * share + under[at] * (1 - share)));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(colour) {
  const [red, green, blue] = channels(colour)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const TEXT = 4.5;
const DRAWING = 3; // lines, marks and icons; and letters from 24 px on
const SIDES = ["side-0", "side-1", "side-2", "side-3"];
const PLAIN = ["text", "muted", "accent", "warn", ...SIDES];
const SHADE = "#081a12"; // behind what stands on the felt

/** Tokens that text has, and what is behind it. */
const TOKENS = [
  ...PLAIN.flatMap((name) => [
    [name, "bg", TEXT],
    [name, "panel", TEXT],
  ]),
  ["bg", "text", TEXT], // toasts, the banner, what somebody says
  ["on-accent", "accent", TEXT],
  ["warn", "warn-bg", TEXT],
  ["text", "warn-bg", TEXT],
  ["pip", "tile", 14],
  ["edge", "bg", DRAWING],
  ["edge", "panel", DRAWING],
  ["tile", "felt", DRAWING],
  ["legal", "felt", DRAWING],
  ...SIDES.map((name) => [name, "line", DRAWING]),
];

/** Colours that are no token, or lie over one another: what, in front, behind, and how much it takes. */
function others(palette) {
  const { panel, felt, tile, text, muted, legal, accent } = palette;
  const lit = mixed("#ffffff", 0.08, felt);
  return [
    ...SIDES.flatMap((side) => [
      [`text of ${side} in turn`, text, mixed(palette[side], 0.1, panel), TEXT],
      [`small text of ${side} in turn`, muted, mixed(palette[side], 0.1, panel), TEXT],
      [`${side} on its own card`, palette[side], mixed(palette[side], 0.09, panel), TEXT],
    ]),
    ["a chosen option", text, mixed(accent, 0.09, panel), TEXT],
    ["what is said of a chosen option", muted, mixed(accent, 0.09, panel), TEXT],
    ["an icon of the first page", accent, mixed(accent, 0.12, panel), DRAWING],
    ["the sum of a preview", text, mixed(legal, 0.3, panel), TEXT],
    ["what a play would do", "#14120c", legal, TEXT],
    ["the same near a dragged tile", "#14120c", "#fff", TEXT],
    ["the number at an end", "#fff", mixed(SHADE, 0.78, felt), TEXT],
    ["the letter of an end", "#cfe3d8", mixed(SHADE, 0.78, felt), TEXT],
    ["an arrow to an end", "#fff", mixed(SHADE, 0.85, felt), TEXT],
    ["a chip on the felt", "#fff", mixed(SHADE, 0.85, felt), TEXT],
    ["a chip over a tile", "#fff", mixed(SHADE, 0.85, tile), TEXT],
    ["the boneyard", "#fff", mixed(SHADE, 0.45, felt), TEXT],
    ["a tool", "#fff", mixed(SHADE, 0.45, felt), DRAWING],
    ["words on the felt of the first page", mixed("#fdfbf4", 0.92, felt), felt, TEXT],
    ["the same where the felt is lit", mixed("#fdfbf4", 0.92, lit), lit, TEXT],
    ["words on the light stripes of the curtain", "#fff", "#7d2a39", TEXT],
    ["the outline of a lit end", "#000", legal, DRAWING],
    ["the back of a tile", "#6b4a32", "#e9dfc6", DRAWING],
  ];
}

for (const [scheme, palette] of SCHEMES) {
  test(`text, lines and tiles stand out in the ${scheme} scheme`, () => {
    const pairs = TOKENS.map(([one, other, least]) => [`${one} on ${other}`, palette[one], palette[other], least]);

    const weak = [...pairs, ...others(palette)]
      .map(([what, one, other, least]) => [what, contrast(one, other), least])
      .filter(([, measured, least]) => !(measured >= least))
      .map(([what, measured, least]) => `${what}: ${measured.toFixed(2)} < ${least}`);

    assert.deepEqual(weak, []);
  });
}

test("no text has a colour whose contrast is not computed here", () => {
  const computed = new Set([...TOKENS.map(([one]) => one), "side"]);
  const literal = new Set(
    others(LIGHT)
      .map(([, one]) => one)
      .concat("#fdfbf4"),
  );
  const used = [...STYLES].flatMap(([name, style]) =>
    [...style.matchAll(/(?<![-\w])color: (?:var\(--([a-z0-9-]+)\)|(#[0-9a-f]+))/g)].map(([, token, value]) => [
      name,
      token ?? value,
    ]),
  );

  const unknown = used.filter(([, colour]) => !computed.has(colour) && !literal.has(colour));

  assert.ok(used.length > 50);
  assert.deepEqual(unknown, []);
});

test("every colour of pips stands out on a tile of either scheme", () => {
  const pips = [...STYLES.get("modes.css").matchAll(/--pip-\d: (#[0-9a-f]{6});/g)].map(([, colour]) => colour);

  assert.equal(new Set(pips).size, 5);
  for (const pip of pips)
    for (const { tile } of [LIGHT, DARK]) assert.ok(contrast(pip, tile) >= 5.4, `${pip} on ${tile}`);
});

test("the two schemes differ", () => {
  assert.notEqual(LIGHT.bg, DARK.bg);
});

test("no rule of a table has all of it looked at again whenever a node comes or goes", () => {
  const page = readFileSync(new URL("index.html", WEB), "utf8");
  const sheets = [...page.matchAll(/href="\/(\w+\.css)"/g)].map(([, name]) => name);

  const dear = sheets.flatMap((name) => STYLES.get(name).match(/:has\((?:[^()]|\([^()]*\))*\) [^{,]+/g) ?? []);

  assert.ok(sheets.includes("table.css"));
  assert.deepEqual(dear, []);
});
