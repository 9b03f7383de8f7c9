import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { languageOf, LANGUAGES } from "../../server/web/texts.js";

const FOLDER = new URL("../../server/web/i18n/", import.meta.url);
const SIZE = 12_000; // bytes of a catalogue on its way
/** What may be written in Latin letters in every language: the ends, a table code, the program and its command. */
const CODE_LETTERS = /\b[A-D]\b|K7QM2X|Doublesix|doublesix verify/g;

/** The catalogues in `folder` of i18n/, by language. */
function catalogues(folder) {
  const names = readdirSync(new URL(folder, FOLDER)).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(names.map((name) => [name.replace(".json", ""), read(`${folder}${name}`)]));
}

function read(path) {
  return JSON.parse(readFileSync(new URL(path, FOLDER)));
}

const GUIDES = catalogues("guide/");
const CATALOGUES = Object.fromEntries(
  Object.entries(catalogues("./")).map(([language, core]) => [language, { ...core, ...GUIDES[language] }]),
);
const { en: ENGLISH, ...TRANSLATED } = CATALOGUES;

function formsOf(text) {
  return typeof text === "string" ? [text] : Object.values(text);
}

/** The slots of a text, of all its forms together ("the last tile" names no number). */
function slotsOf(text) {
  return [...new Set(formsOf(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
}

test("every language that is offered has a catalogue, and every catalogue is offered", () => {
  assert.deepEqual(Object.keys(LANGUAGES).sort(), Object.keys(CATALOGUES).sort());
  assert.ok(ENGLISH);
});

for (const path of ["en.json", "guide/en.json"]) {
  test(`the texts of ${path} stand in the order of their keys`, () => {
    const keys = Object.keys(read(path)).filter((key) => key !== "brand");

    assert.deepEqual(keys, [...keys].sort());
  });
}

test("no catalogue that a table needs is large", () => {
  const sizes = Object.keys(CATALOGUES).map((language) => [
    language,
    gzipSync(readFileSync(new URL(`${language}.json`, FOLDER))).length,
  ]);

  assert.deepEqual(
    sizes.filter(([, size]) => size > SIZE),
    [],
  );
});

for (const [language, catalogue] of Object.entries(CATALOGUES)) {
  test(`every plural of ${language} has just the forms of its language`, () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const wrong = Object.entries(catalogue)
      .filter(([, text]) => typeof text !== "string")
      .filter(([, text]) => Object.keys(text).sort().join() !== [...pluralCategories].sort().join());

    assert.deepEqual(wrong, []);
  });
}

for (const [language, catalogue] of Object.entries(TRANSLATED)) {
  test(`${language} has the texts of English, with the same slots and plurals`, () => {
    const other = Object.keys(ENGLISH).filter(
      (key) =>
        typeof catalogue[key] !== typeof ENGLISH[key] ||
        slotsOf(catalogue[key]).join() !== slotsOf(ENGLISH[key]).join(),
    );

    assert.deepEqual(Object.keys(catalogue), Object.keys(ENGLISH));
    assert.deepEqual(other, []);
  });

  test(`no Latin letter is left in ${language}`, () => {
    const bare = (form) => form.replace(/\{\w+\}/g, "").replace(CODE_LETTERS, "");
    const left = Object.entries(catalogue).filter(([, text]) =>
      formsOf(text).some((form) => /[a-z]/i.test(bare(form))),
    );

    assert.deepEqual(left, []);
  });
}

test("Chinese calls people by one word, and writes no space beside what is put in", () => {
  const strange = Object.entries(CATALOGUES.zh).filter(([, text]) =>
    formsOf(text).some((form) => /您|\p{Script=Han} \{|\} \p{Script=Han}/u.test(form)),
  );

  assert.deepEqual(strange, []);
});

test("the first language wanted that there is, is taken, or else English", () => {
  assert.equal(languageOf([null, "xx", "en-GB"]), "en");
  assert.equal(languageOf(["constructor", undefined]), "en");
  for (const language of Object.keys(LANGUAGES)) assert.equal(languageOf([null, `${language}-XX`, "en"]), language);
});
