/** Words: the catalogue of the language in use, and the sentences that say what has happened at the table. */

import { isDouble, pipsOf, END_LETTERS } from "./geometry.js";
import { counts, drawnBy, isExact, isYou, ownHand, ownSeat, playsOf, seatsOf } from "./state.js";

/** The languages that there are texts in, each by its own name. */
export const LANGUAGES = { en: "English", zh: "中文", uk: "Українська" };

/** On how many tiles each number is. */
const PIPS_OF_A_SET = 7;

/** "Computer", "Computer (2)": what the server calls the computers that it seats. */
const HOUSE_NAME = /^Computer(?: \((\d+)\))?$/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

let spoken = "en";
let wanted = null; // the language that is spoken, or is being fetched to be
let guided = false; // whether the guide is wanted too
let entries = {};
let plurals = new Intl.PluralRules("en");
let numbers = new Intl.NumberFormat("en");
let percents = new Intl.NumberFormat("en", { style: "percent" });
let lists = new Intl.ListFormat("en");
let dates = new Intl.DateTimeFormat("en");

/** The first of `wanted` (codes such as "uk-UA", or null) that there are texts in, or else English. */
export function languageOf(wanted) {
  const codes = wanted.map((code) => code?.toLowerCase().split(/[-_]/)[0]);
  return codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en";
}

/**
 * Fetches `language`, a key of LANGUAGES, and says everything in it from then on. Gives whether it does: not where it
 * did before, nor where another one is wanted by then. Raises TypeError without a line.
 */
export async function useLanguage(language) {
  if (language === wanted) return false;
  const before = wanted;
  wanted = language;
  try {
    const catalogue = await fetchTexts(language);
    if (language === wanted) setTexts(language, catalogue);
    return language === wanted;
  } catch (error) {
    if (language === wanted) wanted = before;
    throw error;
  }
}

/** The catalogue of `language`, with its guide if that was wanted. */
async function fetchTexts(language) {
  const names = guided ? [language, `guide/${language}`] : [language];
  return Object.assign({}, ...(await Promise.all(names.map(fetchCatalogue))));
}

/** Adds the guide, which is long: the texts that only the rules and the list of keys have. */
export async function fetchGuide() {
  guided = true;
  const language = spoken;
  const guide = await fetchCatalogue(`guide/${language}`);
  if (language === spoken) entries = { ...entries, ...guide }; // else it came with the other language
}

async function fetchCatalogue(name) {
  const answer = await fetch(new URL(`i18n/${name}.json`, import.meta.url));
  return answer.json();
}

/** Takes up `catalogue`, flat keys to texts, as the words of `language`. */
export function setTexts(language, catalogue) {
  spoken = language;
  entries = catalogue;
  plurals = new Intl.PluralRules(language);
  numbers = new Intl.NumberFormat(language);
  percents = new Intl.NumberFormat(language, { style: "percent" });
  lists = new Intl.ListFormat(language);
  dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
}

/** The text of `key` with its {slots} filled; of a plural text the form that slot `count` asks for. */
export function t(key, slots = {}) {
  const entry = entries[key] ?? key;
  const text = typeof entry === "string" ? entry : (entry[plurals.select(slots.count)] ?? entry.other);
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in slots ? shown(slots[name]) : whole));
}

/** These, but for those that are none, one after the other as the language has it. */
export function sentences(...all) {
  return all.filter(Boolean).join(t("between_sentences"));
}

/** What the texts are taken from: the same as long as the same is said. */
export function words() {
  return entries;
}

/** Whether there is a text of that key. */
export function hasText(key) {
  return key in entries;
}

function shown(value) {
  if (typeof value === "number") return numbers.format(value);
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}

export function formatNumber(value) {
  return numbers.format(value);
}

/** "54%", of a part of 1. */
export function formatPercent(part) {
  return percents.format(part);
}

/** "Ann, Bob and Wei" */
export function formatList(words) {
  return lists.format(words.map(shown));
}

/** Day and time of `moment`, in milliseconds since 1970. */
export function formatDate(moment) {
  return dates.format(moment);
}

/** "Olena, Wei and Max". */
export function listOf(names) {
  return lists.format(names.map(shown));
}

/** The name of who sits at `seat`, or "You". */
export function nameOf(room, seat) {
  return isYou(room, seat) ? t("you") : plainName(room.seats[seat]);
}

/** The name of a seat as everybody sees it; computers that the server has named are called so in this language. */
export function plainName({ seat, name, bot }) {
  const [isOfServer, number] = (bot && HOUSE_NAME.exec(name)) ?? [];
  if (isOfServer) return number ? t("computer.numbered", { number: Number(number) }) : t("computer");
  return name ?? (bot ? t("computer") : t("seat", { number: seat + 1 }));
}

/** What stands at the hand that is shown: whose it is, and how many tiles. */
export function handLabel(room) {
  const own = ownSeat(room);
  const count = room.seats[own].tiles;
  return isYou(room, own)
    ? t("hand.label", { count })
    : t("hand.label_of", { count, name: plainName(room.seats[own]) });
}

/** How good a computer is: "computer: Club". */
export function levelName(level) {
  return hasText(`level.${level}`) ? t("level", { level: t(`level.${level}`) }) : t("tag.cpu");
}

/** "You and Wei": everyone of `side`, for sentences. */
export function sideName(room, side) {
  return listOf(seatsOf(room, side).map(({ seat }) => nameOf(room, seat)));
}

/** "You + Wei": the same where there is little room. */
export function sideLabel(room, side) {
  return seatsOf(room, side)
    .map(({ seat }) => shown(nameOf(room, seat)))
    .join(" + ");
}

/** A tile as it is read out: "2-5", "double 4", "blank-3". */
export function spokenTile(tile) {
  const [low, high] = pipsOf(tile).map((pip) => (pip ? numbers.format(pip) : t("blank")));
  return isDouble(tile) ? t("tile.double", { pip: high }) : `${low}-${high}`;
}

/** "3 + 12 = 15"; of one number the number alone. */
export function sumOf(terms) {
  const total = numbers.format(terms.reduce((sum, term) => sum + term, 0));
  return terms.length > 1 ? `${terms.map((term) => numbers.format(term)).join(" + ")} = ${total}` : total;
}

/** "3 + 12 = 15": the ends that count, and their total. */
export function totalSum({ ends, total }) {
  return total ? sumOf(ends.filter(isTerm).map(({ counts: worth }) => worth)) : numbers.format(0);
}

/** Whether an end is named in a sum: a blank end of the line is, a bare side of the spinner is not. */
function isTerm({ end, value, counts: worth }) {
  return worth > 0 || (value === 0 && (end === "left" || end === "right"));
}

/** "5 + 3 = 8": how the points of a play arise, those of going out included. */
export function pointsSum(parts) {
  const points = parts.reduce((sum, part) => sum + part.points, 0);
  const terms = parts.map((part) =>
    part.by === 1 ? t("sum.out", { points: part.points }) : numbers.format(part.points),
  );
  return terms.length > 1 ? `${terms.join(" + ")} = ${numbers.format(points)}` : (terms[0] ?? "0");
}

/** What a play was worth, in a line: "3 + 12 = 15 → 5 + 3 = 8". Empty where plays do not score. */
export function playSum(room, event) {
  return counts(room) ? `${totalSum(event)} → ${pointsSum(event.parts)}` : "";
}

/** The same without the point for going out, where that has a line of its own. */
export function endsSum(room, event) {
  return playSum(room, { ...event, parts: event.parts.filter((part) => part.by !== 1) });
}

/** What the chosen play would do, for the status line. `before` is the score of the side now. */
export function previewSentence(room, { tile, end, play }, before) {
  const where =
    play.action.end === null ? t("preview.opening", { tile }) : t("preview.at", { tile, end: END_LETTERS[end] });
  return sentences(where, counts(room) ? previewSum(room, play, before) : becomes(play, end));
}

function previewSum(room, play, before) {
  const event = play.points + play.out_bonus;
  if (!play.accepted) {
    const slots = { ends: totalSum(play), before, event, sum: before + event, target: room.settings.target };
    return t("preview.over", slots);
  }
  if (!event) return t("preview.nothing", { sum: totalSum(play) });
  const slots = { sum: totalSum(play), points: pointsSum(play.parts), count: event, before, after: play.after };
  return sentences(t("preview.points", slots), play.wins && t("preview.wins"));
}

function becomes(play, end) {
  const open = play.ends.find((other) => other.end === end);
  return open && play.action.end !== null ? t("preview.becomes", { value: open.value }) : "";
}

/** Why the chosen tile, or to draw or knock, was advised. */
export function hintSentence(room, { hint, tile, end }, offers) {
  const { target } = room.settings;
  const reason = hasText(`hint.${hint}`) ? hint : "even";
  const open = offers.plays.find((offer) => offer.tile === tile && offer.end === end)?.play?.ends ?? [];
  const pip = open.find((other) => other.end === end)?.value ?? 0;
  return t("hint", { reason: t(`hint.${reason}`, { target, pip, count: unseen(room, pip) }) });
}

/** How many tiles with that pip are neither on the table nor in the hand that is shown. */
function unseen(room, pip) {
  const seen = [...playsOf(room.deal).map(({ tile }) => tile), ...ownHand(room)];
  return PIPS_OF_A_SET - seen.filter((tile) => pipsOf(tile).includes(pip)).length;
}

/** What is told in passing of an event, or "". */
export function notice(event, room, before) {
  const isOwn = room.you.seats.includes(event.seat);
  if (event.type === "timed_out") return sentence(event, room, before);
  if (event.type === "hinted") return isOwn ? "" : sentence(event, room, before);
  if (event.type === "bot_in") return isOwn ? t("covered") : sentence(event, room, before);
  if (event.type !== "answered" || event.state === "open") return "";
  const key = event.state === "agreed" ? `answered.agreed.${before.ask?.what}` : `answered.${event.state}`;
  return hasText(key) ? t(key, { name: nameOf(room, event.seat) }) : "";
}

/** What an end offers, short enough for a chip on the felt: "15 → 8". */
export function chipText(room, play, end) {
  if (!counts(room)) return becomes(play, end);
  return `${numbers.format(play.total)} → ${numbers.format(play.points + play.out_bonus)}`;
}

/** What the page shows anyway where it is about one's own seat. */
const OWN_LINE = new Set(["away", "back", "bot_in", "bot_out", "hinted", "paused"]);

/** One event in a sentence for the screen reader, or "" for what is not worth one. `before`: the room before it. */
export function sentence(event, room, before) {
  const name = event.seat === undefined || event.seat === null ? "" : nameOf(room, event.seat);
  switch (event.type) {
    case "played":
      return playedSentence(event, room, before);
    case "deal_started":
      return t("say.deal_started", { number: event.number, name: nameOf(room, event.lead) });
    case "deal_ended":
      return dealEndSentence(event, room);
    case "match_ended":
      return matchEndSentence(event, room);
    case "drew":
      return event.tile ? t("say.drew_own", { tile: spokenTile(event.tile) }) : t("say.drew", { name, count: 1 });
    case "timed_out":
      return isYou(room, event.seat) ? t("timed_out") : t("say.timed_out", { name });
    case "reacted":
      return t("say.reacted", { name, reaction: t(`reaction.${event.key}`) });
    default:
      if (room.you.seats.includes(event.seat) && OWN_LINE.has(event.type)) return "";
      return hasText(`say.${event.type}`) ? t(`say.${event.type}`, { name: event.name ? plainName(event) : name }) : "";
  }
}

/**
 * What is read out of an event as it happens: what another seat draws in one sentence, when that seat goes on, and with
 * the end of a deal what it has brought.
 */
export function announcement(event, room, before) {
  const { type, seat, tile } = event;
  if (type === "drew" && !tile) return "";
  if (type === "deal_ended") return sentences(dealEndAloud(event, room), ...bonusesAloud(event, room));
  const told = sentence(event, room, before);
  const isGoingOn = (type === "played" || type === "knocked") && !room.you.seats.includes(seat);
  const count = isGoingOn ? drawnBy(before.deal, seat) : 0;
  return sentences(count && t("say.drew", { name: nameOf(room, seat), count }), told);
}

function dealEndAloud(event, room) {
  return t("say.deal_ended", { number: room.deal.number, how: dealEndSentence(event, room) });
}

/** What the tiles left have brought; in an exact game that is told with the last play. */
function bonusesAloud({ bonus, scores }, room) {
  if (isExact(room)) return [];
  const told = bonus.map((count, side) => t("say.bonus", { name: sideName(room, side), count, score: scores[side] }));
  return told.filter((_, side) => bonus[side]);
}

function playedSentence(event, room, before) {
  const where = actSentence(event, room);
  if (counts(room)) return sentences(where, worthSentence(event, room, before));
  return sentences(where, t("say.ends", { ends: listOf(event.ends.map(({ value }) => numbers.format(value))) }));
}

/** What a seat has played, drawn or knocked, without what came of it. */
export function actSentence(event, room) {
  const { type, seat, tile, end } = event;
  if (type !== "played") return sentence(event, room, room);
  const slots = { name: nameOf(room, seat), tile: spokenTile(tile) };
  return end ? t("say.played", { ...slots, end: END_LETTERS[end] }) : t("say.opened", slots);
}

/** What the ends are after a play, and what that was worth. */
function worthSentence({ seat, ends, total, points, dropped, scores }, room, before) {
  const side = room.seats[seat].side;
  const slots = { ends: listOf(ends.filter(isTerm).map(spokenEnd)), total };
  if (dropped) return t("say.dropped", { ...slots, count: dropped, target: room.settings.target });
  if (!points) return t("say.nothing", slots);
  return t("say.points", { ...slots, count: points, before: before.scores[side], after: scores[side] });
}

function spokenEnd({ value, counts: worth }) {
  return worth > value ? t("tile.double", { pip: value }) : numbers.format(value);
}

/** The open ends, to be read out: "A 3 and B double 6", which add up to the total where plays score. */
export function spokenEnds(room) {
  const spoken = (open) => {
    const isBare = counts(room) && !isTerm(open);
    const slots = { end: END_LETTERS[open.end], value: isBare ? numbers.format(open.value) : spokenEnd(open) };
    return t(isBare ? "aloud.end_bare" : "aloud.end", slots);
  };
  return lists.format(room.deal.layout.ends.map(spoken));
}

/** The same in signs: "A 3 · B 6+6"; what counts nothing stands in brackets. */
export function writtenEnds(room) {
  const written = (open) => {
    const pips = numbers.format(open.value);
    if (!counts(room)) return pips;
    if (!isTerm(open)) return `(${pips})`;
    return open.counts > open.value ? `${pips}+${pips}` : pips;
  };
  return room.deal.layout.ends.map((open) => `${END_LETTERS[open.end]} ${written(open)}`).join(" · ");
}

/** "Olena wins the match", "You and Wei win the match". */
function matchEndSentence({ winner }, room) {
  if (winner === null) return t("say.match_broken_off");
  const members = seatsOf(room, winner);
  const count = members.length > 1 || isYou(room, members[0].seat) ? 2 : 1; // "you" takes the plural
  return t("say.match_ended", { name: sideName(room, winner), count });
}

/** How a deal ended: "Olena went out", "Olena and Max went out" where both partners have to (F5), "blocked". */
export function dealEndSentence({ reason, seat }, room) {
  if (seat === null) return t(`end.${reason}`);
  const together = reason === "target" || (isExact(room) && room.seats.length === 4);
  return t(`end.${reason}`, { name: together ? sideName(room, room.seats[seat].side) : nameOf(room, seat) });
}
