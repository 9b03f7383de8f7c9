import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import {
  announcement,
  chipText,
  plainName,
  playSum,
  previewSentence,
  sentence,
  setTexts,
  sideName,
  spokenTile,
  t,
} from "../../server/web/texts.js";
import { dealEnded, end, play, played, playingRoom } from "./rooms.mjs";
import { ENGLISH } from "./words.mjs";

const WEB = new URL("../../server/web/", import.meta.url);
const SCRIPTS = readdirSync(WEB, { recursive: true }).filter((name) => name.endsWith(".js"));

const CHINESE = JSON.parse(readFileSync(new URL("i18n/zh.json", WEB)));

setTexts("en", ENGLISH);

const FIFTEEN = {
  total: 15,
  parts: [
    { by: 3, points: 5 },
    { by: 5, points: 3 },
  ],
  points: 8,
};
const ENDS = [end("left", 3), end("right", 6, 12)];

test("slots are filled, and plurals follow their number", () => {
  assert.equal(t("deal", { number: 3 }), "Deal 3");
  assert.equal(t("players", { count: 1 }), "1 player");
  assert.equal(t("players", { count: 4 }), "4 players");
});

test("a text that is missing shows its key", () => {
  assert.equal(t("no.such.text"), "no.such.text");
});

test("a name from right to left does not turn the sentence around", () => {
  assert.equal(t("say.knocked", { name: "דנה" }), "\u2068דנה\u2069 knocked.");
});

test("blanks and doubles are read as words", () => {
  assert.deepEqual(["2-5", "4-4", "0-3", "0-0"].map(spokenTile), ["2-5", "double 4", "blank-3", "double blank"]);
});

test("the preview spells the sum out", () => {
  const offer = { tile: "3-6", end: "right", play: play("3-6", "right", { ...FIFTEEN, ends: ENDS, after: 49 }) };

  assert.equal(
    previewSentence(playingRoom(), offer, 41),
    "3-6 at B: ends 3 + 12 = 15 → 5 + 3 = 8 points, 41\u00a0→\u00a049",
  );
});

test("the preview says when a play would go past the target", () => {
  const six = {
    total: 6,
    parts: [
      { by: 3, points: 2 },
      { by: 1, points: 1 },
    ],
    points: 2,
    out_bonus: 1,
    accepted: false,
    after: 59,
  };
  const offer = {
    tile: "2-4",
    end: "left",
    play: play("2-4", "left", { ...six, ends: [end("left", 4), end("right", 2)] }),
  };

  const text = previewSentence(playingRoom(), offer, 59);

  assert.equal(text, "2-4 at A: 4 + 2 = 6. 59 + 3 = 62: over 61, nothing counts");
});

test("sentences follow one another as the language has it", () => {
  const drew = { type: "drew", seat: 1, tile: null };
  const knocked = { type: "knocked", seat: 1 };
  const room = playingRoom();
  const before = { ...room, deal: { ...room.deal, events: [...room.deal.events, drew] } };

  setTexts("zh", CHINESE);
  const text = announcement(knocked, before, before);
  setTexts("en", ENGLISH);

  assert.match(text, /。\S+。$/);
});

test("the preview of a last tile has the point for going out in its sum, and says that it wins", () => {
  const six = {
    total: 6,
    parts: [
      { by: 3, points: 2 },
      { by: 1, points: 1 },
    ],
    points: 2,
    out_bonus: 1,
    after: 61,
    wins: true,
  };
  const offer = {
    tile: "2-4",
    end: "left",
    play: play("2-4", "left", { ...six, ends: [end("left", 4), end("right", 2)] }),
  };

  const text = previewSentence(playingRoom(), offer, 58);

  assert.equal(text, "2-4 at A: ends 4 + 2 = 6 → 2 + 1 for going out = 3 points, 58\u00a0→\u00a061 Wins!");
});

test("a lone double counts once and is no sum", () => {
  const opening = played(0, "2-2", null, { ends: [end("left", 2, 4), end("right", 2, 0)], total: 4 });

  assert.equal(playSum(playingRoom(), opening), "4 → 0");
});

test("a blank end is a term of the sum, a bare side of the spinner is none", () => {
  const line = played(0, "0-3", "right", { ends: [end("left", 3), end("right", 0)], total: 3 });
  const branched = played(0, "0-4", "right", {
    ends: [end("left", 5), end("right", 4), end("up", 0), end("down", 0)],
    total: 9,
  });

  assert.equal(playSum(playingRoom(), line), "3 + 0 = 3 → 0");
  assert.equal(playSum(playingRoom(), branched), "5 + 4 = 9 → 0");
});

test("a chip shows total and points, or what an end becomes where plays do not score", () => {
  const room = playingRoom();
  const block = playingRoom({ settings: { game: "block", seats: 4, target: 100 } });
  const entry = play("3-6", "right", { ...FIFTEEN, ends: ENDS });

  assert.equal(chipText(room, entry, "right"), "15 → 8");
  assert.equal(chipText(block, entry, "right"), "end becomes 6");
});

test("a play of another seat is read with tile, end, total, points and score", () => {
  const room = playingRoom({ scores: [20, 27] });
  const event = played(1, "3-6", "right", { ...FIFTEEN, ends: ENDS, scores: [20, 35] });

  assert.equal(
    sentence(event, room, room),
    "Bob played 3-6 at end B. Ends 3 and double 6, total 15, 8 points: 27 to 35.",
  );
});

test("an event that did not count is read as such", () => {
  const room = playingRoom({ scores: [20, 59] });
  const event = played(1, "2-4", "left", { ends: ENDS, total: 15, dropped: 3, scores: [20, 59] });

  assert.match(sentence(event, room, room), /3 points would pass 61 and do not count\.$/);
});

test("what another seat draws is read out at once, when it goes on", () => {
  const room = playingRoom({ scores: [20, 27] });
  const after = (...acts) => ({ ...room, deal: { ...room.deal, events: [...room.deal.events, ...acts] } });
  const drew = { type: "drew", seat: 1, stock: 3 };
  const knocked = { type: "knocked", seat: 1 };
  const play = played(1, "3-6", "right", { ...FIFTEEN, ends: ENDS, scores: [20, 35] });

  assert.equal(announcement(drew, after(drew), room), "");
  assert.match(announcement(play, after(drew, drew, play), after(drew, drew)), /^Bob drew 2 tiles\. Bob played 3-6 at/);
  assert.equal(announcement(knocked, after(drew, knocked), after(drew)), "Bob drew a tile. Bob knocked.");
  assert.equal(announcement(knocked, after(knocked), room), "Bob knocked.");
  assert.equal(announcement({ ...drew, seat: 0, tile: "0-4" }, after(drew), room), "You drew blank-4.");
});

test("partners are named together", () => {
  assert.equal(sideName(playingRoom(), 0), "You and Cy");
  assert.equal(sideName(playingRoom(), 1), "Bob and Di");
});

test("the end of deal and match is said for each kind", () => {
  const room = playingRoom();
  const ends = [dealEnded(), dealEnded({ reason: "blocked", seat: null }), dealEnded({ reason: "target", seat: 1 })];

  assert.deepEqual(
    ends.map((event) => sentence(event, room, room)),
    ["You and Cy went out", "blocked, nobody can play", "Bob and Di reached the target"],
  );
  assert.equal(sentence(dealEnded(), { ...room, settings: { ...room.settings, game: "draw" } }, room), "You went out");
  assert.equal(sentence({ type: "match_ended", winner: 1 }, room, room), "Bob and Di win the match");
  assert.equal(sentence({ type: "match_ended", winner: null }, room, room), "The match was broken off");
});

test("the end of a deal is read out with what the tiles left have brought", () => {
  const exact = playingRoom();
  const block = playingRoom({ settings: { game: "block", seats: 4, target: 100 } });
  const blocked = dealEnded({ reason: "blocked", seat: null, bonus: [0, 12.5], scores: [9, 40.5] });

  assert.equal(announcement(dealEnded(), exact, exact), "Deal 1 is over: You and Cy went out.");
  assert.equal(
    announcement(blocked, block, block),
    "Deal 1 is over: blocked, nobody can play. Bob and Di: 12.5 points for the tiles left with the others, 40.5 now.",
  );
});

test("every text that a script names is in the catalogue", () => {
  const named = SCRIPTS.flatMap((name) =>
    [...readFileSync(new URL(name, WEB), "utf8").matchAll(/\bt\("([^"]+)"/g)].map(([, key]) => key),
  );
  const missing = named.filter((key) => !(key in ENGLISH));

  assert.ok(named.length > 100);
  assert.deepEqual(missing, []);
});

test("every text of the catalogue is used by some script", () => {
  const source = SCRIPTS.map((name) => readFileSync(new URL(name, WEB), "utf8")).join("\n");
  const families = [...source.matchAll(/`([a-z_]+\.)\$\{/g)].map(([, family]) => family);
  const spoken = (key) => source.includes(`"${key}"`) || families.some((family) => key.startsWith(family));

  assert.deepEqual(
    Object.keys(ENGLISH).filter((key) => !spoken(key)),
    [],
  );
});

test("the comings and goings of others are told, one's own are left to the banner", () => {
  const room = playingRoom();
  const [own] = room.you.seats;

  assert.equal(sentence({ type: "away", seat: own }, room, room), "");
  assert.equal(sentence({ type: "bot_in", seat: own, level: "club" }, room, room), "");
  assert.match(sentence({ type: "away", seat: own + 1 }, room, room), /has lost the connection\.$/);
});

test("the computers that the server has named have their names in the language of the page", () => {
  const named = (seat) => plainName({ seat: 1, bot: "club", ...seat });
  setTexts("uk", JSON.parse(readFileSync(new URL("i18n/uk.json", WEB))));

  const names = [named({ name: "Computer" }), named({ name: "Computer (2)" }), named({ name: "Max" })];
  const person = named({ name: "Computer", bot: null });
  setTexts("en", ENGLISH);

  assert.deepEqual(names, ["Комп’ютер", "Комп’ютер 2", "Max"]);
  assert.equal(person, "Computer");
});

test("numbers take the form and the writing of the language", () => {
  setTexts("uk", JSON.parse(readFileSync(new URL("i18n/uk.json", WEB))));

  const said = [1, 2, 5, 21, 2.5].map((count) => t("position.worth", { where: "A", total: 0, count }).split(", ")[2]);
  setTexts("en", ENGLISH);

  assert.deepEqual(said, ["1 очко", "2 очки", "5 очок", "21 очко", "2,5 очка"]);
});
