/** Lists of what this browser remembers: tables to come back to, and matches to look at again. */

import { h } from "../keyed.js";
import { sideMark } from "../pictures.js";
import { formatDate, formatNumber, listOf, plainName, t } from "../texts.js";

/** The tables of those codes, where this player still has a seat, and those that were left; but no match that is over. */
export function unfinishedTables(codes, act) {
  const known = act.kept("tables") ?? {};
  const left = act.kept("left") ?? [];
  const unfinished = [...codes, ...left].filter((code) => !known[code]?.isOver);
  if (!unfinished.length) return null;
  return h(
    "section",
    { class: "resume", key: "resume", "aria-label": t("home.resume") },
    h("h2", {}, t("home.resume")),
    unfinished.map((code) => resume(code, known[code], left.includes(code), act)),
  );
}

function resume(code, facts, isLeft, act) {
  return h(
    "button",
    { key: code, type: "button", class: "entry resume-entry", onclick: () => act.go(`/t/${code}`) },
    h(
      "span",
      { class: "resume-facts" },
      h("b", {}, facts ? t(`game.${facts.game}`) : t("table.title", { code })),
      facts ? h("span", {}, companyOf(facts)) : null,
      facts ? h("span", { class: "muted" }, scoresOf(facts), t("table.title", { code })) : null,
      isLeft ? h("span", { class: "muted" }, t("covered")) : null,
    ),
    h("span", { class: "resume-go" }, t("home.resume.go")),
  );
}

/** "With Wei against Olena and Max", "Against Olena"; at a shared device "Ann, Wei and Max". */
function companyOf({ partner, others, together }) {
  if (together) return listOf(together.map(named));
  const names = listOf(others.map(named));
  if (partner) return t(names ? "home.resume.partner" : "home.resume.with", { partner: named(partner), names });
  return names ? t("home.resume.against", { names }) : "";
}

/** The name of somebody as it was kept; a computer's in the language of now. */
function named(who) {
  return who?.bot ? plainName(who) : String(who?.name ?? who);
}

function scoresOf({ scores }) {
  return h(
    "span",
    { class: "scores" },
    scores.map((score, side) => h("span", { key: side }, sideMark(side), formatNumber(score))),
  );
}

/** The matches of this browser that have ended, newest first. */
export function finishedMatches(act) {
  const replays = act.kept("replays") ?? [];
  return h(
    "section",
    { class: "card list", key: "replays" },
    h("h2", {}, t("home.replays")),
    replays.length
      ? h(
          "ul",
          {},
          replays.map((replay) => h("li", { key: replay.id }, finished(replay))),
        )
      : h("p", { class: "empty" }, t("home.replays.none")),
  );
}

function finished({ id, game, names, scores, won, at }) {
  return h(
    "a",
    { href: `/r/${id}`, class: "line" },
    h(
      "span",
      { class: "line-text" },
      h("b", {}, t(`game.${game}`)),
      won === null
        ? null
        : h("span", { class: `tag${won ? " you" : ""}` }, t(won ? "home.replays.won" : "home.replays.lost")),
      scoresOf({ scores }),
      h("span", { class: "muted wide" }, listOf(names.map(named))),
    ),
    h("time", { class: "muted", datetime: new Date(at).toISOString() }, formatDate(at)),
  );
}
