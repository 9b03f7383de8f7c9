/** Lists of what this browser remembers: tables to come back to, and matches to look at again. */

import { h } from "../keyed.js";
import { sideMark } from "../pictures.js";
import { formatDate, formatNumber, listOf, t } from "../texts.js";

/** The tables of those codes, where this player still has a seat. */
export function unfinishedTables(codes, act) {
  if (!codes.length) return null;
  const known = act.kept("tables") ?? {};
  return h(
    "section",
    { class: "resume", key: "resume", "aria-label": t("home.resume") },
    h("h2", {}, t("home.resume")),
    codes.map((code) => unfinished(code, known[code], act)),
  );
}

function unfinished(code, facts, act) {
  return h(
    "button",
    { key: code, type: "button", class: "entry resume-entry", onclick: () => act.go(`/t/${code}`) },
    h(
      "span",
      { class: "resume-facts" },
      h("b", {}, facts ? t(`game.${facts.game}`) : t("table.title", { code })),
      facts?.others.length ? h("span", {}, t("home.resume.with", { names: listOf(facts.others) })) : null,
      h("span", { class: "muted" }, facts ? scoresOf(facts) : null, t("table.title", { code })),
    ),
    h("span", { class: "resume-go" }, t("home.resume.go")),
  );
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
      h("span", { class: `tag${won ? " you" : ""}` }, t(won ? "home.replays.won" : "home.replays.lost")),
      scoresOf({ scores }),
      h("span", { class: "muted wide" }, listOf(names)),
    ),
    h("time", { class: "muted", datetime: new Date(at).toISOString() }, formatDate(at)),
  );
}
