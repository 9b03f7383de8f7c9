/** The proof that a match was dealt fairly, made in this browser from its record, in plain words. */

import { h } from "../keyed.js";
import { formatList, t } from "../texts.js";

const SHOWN_DIGITS = 12; // of a fingerprint of 64

/**
 * What can be said of `record`: {state, faults, own}. `state` is "unable" where the browser computes no digests, "fair"
 * or "wrong"; `faults` are plain lines; `own` says what became of the share of this browser (see `ownShare`).
 *
 * `shares`: what this browser has added, each {value, promises}: the commitments that it had been shown before.
 */
export async function prove(record, shares) {
  const { canVerify, verify } = await import("../verify.js");
  if (!canVerify) return { state: "unable", faults: [], own: null };
  const { faults } = await verify(record);
  const own = ownShare(record, shares);
  return { state: faults.length || own === "other_promise" ? "wrong" : "fair", faults, own };
}

/**
 * "counted": it is in the record, under a commitment that this browser was shown before it added it. "other_promise":
 * it is there, but the browser was shown others. "missing": it was added to this very match, and is not there. null:
 * this browser has added nothing.
 */
export function ownShare({ commitment, entropy }, shares) {
  const values = entropy.map(({ value }) => value);
  const listed = shares.filter(({ value }) => values.includes(value));
  if (listed.some(({ promises }) => promises.includes(commitment))) return "counted";
  if (listed.length) return "other_promise";
  return shares.some(({ promises: [meant] }) => meant === commitment) ? "missing" : null;
}

/** What the record is called as a file. */
export function fileName({ id }) {
  return `match-${id}.json`;
}

/** The section of the page. `proof` is that of `prove`, or null while it is being made. `save()`: keeps the record. */
export function proofSection({ record, proof, save }) {
  return h(
    "section",
    { class: `proof ${proof?.state ?? "checking"}`, key: "proof", "data-testid": "proof" },
    h("h2", {}, t("proof.title")),
    h("p", { role: "status" }, t(`proof.${proof?.state ?? "checking"}`)),
    proof ? details(record, proof) : null,
    ["fair", "unable"].includes(proof?.state) ? command(record) : null,
    h("button", { type: "button", class: "small", onclick: save }, t("proof.save")),
  );
}

function details(record, { state, faults, own }) {
  if (state === "unable") return null;
  if (state === "wrong")
    return h(
      "ul",
      { class: "faults" },
      own === "other_promise" ? h("li", { key: "own" }, t("proof.own.other_promise")) : null,
      faults.map((fault) => h("li", { key: fault, lang: "en" }, fault)),
    );
  return h(
    "ul",
    { class: "proved" },
    h("li", { key: "promise" }, t("proof.promise"), " ", digits(record.commitment)),
    h("li", { key: "shares" }, sharesText(record), own ? ` ${t(`proof.own.${own}`)}` : ""),
    h("li", { key: "dealt" }, t("proof.dealt", { count: dealsOf(record) })),
  );
}

/** The beginning of a fingerprint, for the eye; the whole of it where it is pointed at. */
function digits(all) {
  return h("span", { class: "digits", lang: "en", title: all }, `${all.slice(0, SHOWN_DIGITS)}…`);
}

/** What checks the rest, and the deals where the browser cannot. */
function command(record) {
  return h("p", {}, t("proof.rest"), h("code", { lang: "en" }, `doublesix verify ${fileName(record)}`));
}

function sharesText({ entropy, players }) {
  const names = entropy.map(({ player }) => players.find((who) => who.player === player)?.name ?? "?");
  return names.length ? t("proof.shares", { names: formatList(names) }) : t("proof.no_shares");
}

function dealsOf({ steps }) {
  return steps.flatMap(({ events }) => events).filter(({ type }) => type === "deal_started").length;
}
