/** The sheets over the table: what a deal and a match came to, scores, rules, reactions, invitation, menu. */

import { h } from "./keyed.js";
import { pipsOf } from "./geometry.js";
import { invitation } from "./lobby.js";
import { icon, REACTIONS, sideMark, tilePicture } from "./pictures.js";
import { counts, eventOf, isExact, ownSeat, playsOf } from "./state.js";
import { dealEndSentence, endsSum, formatNumber, nameOf, playSum, sentence, sideLabel, sideName, t } from "./texts.js";

const SHEETS = { result, match, scores, rules, reactions, invite, menu };

/** The open sheet, or null. */
export function sheet(scene, name, act) {
  return SHEETS[name]?.(scene, act) ?? null;
}

/** A native dialog: Escape and the cross close it, focus goes back to where it was. */
function dialog(name, title, act, body, buttons = []) {
  return h(
    "dialog",
    {
      key: `sheet-${name}`,
      class: `sheet ${name}`,
      "data-testid": `sheet-${name}`,
      "aria-labelledby": `${name}-title`,
      attach: (node) => node.showModal(),
      detach: (node) => node.close(),
      oncancel: (event) => {
        event.preventDefault();
        act.closeSheet();
      },
      onclick: (event) => event.target === event.currentTarget && act.closeSheet(),
    },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", { id: `${name}-title`, tabindex: -1, autofocus: true }, title),
      h("button", { type: "button", class: "quiet", "aria-label": t("close"), onclick: act.closeSheet }, icon("close")),
    ),
    h("div", { class: "sheet-body" }, body),
    buttons.length ? h("div", { class: "sheet-foot" }, buttons) : null,
  );
}

function result(scene, act) {
  const { room } = scene;
  const ended = eventOf(room.deal, "deal_ended");
  if (!ended) return null;
  const title = t("result.title", { number: room.deal.number, how: dealEndSentence(ended, room) });
  return dialog(
    "result",
    title,
    act,
    [resultRows(room, ended), scoreTable(room), hands(room, ended), dealScores(room), nextLead(room, ended)],
    readyButtons(scene, act),
  );
}

function resultRows(room, ended) {
  const last = playsOf(room.deal).at(-1);
  const bonusRows = bonuses(room, ended).map((bonus, side) => bonusRow(room, ended, bonus, side));
  const rows = [last && lastPlay(room, last), ...bonusRows];
  if (ended.dropped)
    rows.push(
      row(
        t("result.dropped", {
          sum: room.scores[room.seats[last.seat].side] + ended.dropped,
          event: ended.dropped,
          target: room.settings.target,
        }),
      ),
    );
  if (ended.reason === "blocked" && !isExact(room) && ended.bonus.every((bonus) => !bonus))
    rows.push(row(t("result.tie")));
  if (isExact(room)) rows.push(row(t("result.hands_do_not_count")));
  return h("ul", { class: "result-rows" }, rows.filter(Boolean));
}

function lastPlay(room, event) {
  const text = t("result.last_play", { name: nameOf(room, event.seat), tile: event.tile });
  return row(text, endsSum(room, event));
}

/** What the end of the deal was worth to each side; in an event that was not counted, too: the sum shows why. */
function bonuses(room, ended) {
  if (!ended.dropped || ended.seat === null) return ended.bonus;
  return ended.bonus.map((_, side) => (side === room.seats[ended.seat].side ? 1 : 0));
}

function bonusRow(room, ended, bonus, side) {
  if (!bonus) return null;
  if (isExact(room)) return row(t("result.out_bonus", { name: sideName(room, side) }), `+${formatNumber(bonus)}`);
  const pips = ended.hands.filter((_, seat) => !ended.bonus[room.seats[seat].side]).map(pipTotal);
  const left = pips.reduce((sum, count) => sum + count, 0);
  return row(
    t("result.bonus", { name: sideName(room, side) }),
    left === bonus ? `+${formatNumber(bonus)}` : `${formatNumber(left)} → +${formatNumber(bonus)}`,
  );
}

function row(text, value = "") {
  return h("li", {}, h("span", {}, text), h("b", {}, value));
}

function scoreTable(room) {
  return h(
    "ul",
    { class: "score-cards" },
    room.scores.map((score, side) =>
      h(
        "li",
        { key: side, class: `side-${side}` },
        sideMark(side),
        h("bdi", {}, sideLabel(room, side)),
        h("b", {}, formatNumber(score)),
      ),
    ),
  );
}

/** All hands, face up now that the deal is over. */
function hands(room, ended) {
  return h(
    "section",
    { class: "hands" },
    h("h3", {}, t("result.hands")),
    h(
      "ul",
      {},
      ended.hands.map((tiles, seat) =>
        h(
          "li",
          { key: seat },
          h("span", { class: "who" }, sideMark(room.seats[seat].side), h("bdi", {}, nameOf(room, seat))),
          h(
            "span",
            { class: "tiles" },
            tiles.length ? tiles.map((tile) => tilePicture(pipsOf(tile), { key: tile })) : t("result.out"),
          ),
          isExact(room) || !tiles.length
            ? null
            : h("b", { class: "pips-left" }, t("result.pips", { count: pipTotal(tiles) })),
        ),
      ),
    ),
  );
}

function pipTotal(tiles) {
  return tiles.flatMap(pipsOf).reduce((sum, pip) => sum + pip, 0);
}

/** Every score of this deal, each as a sum. */
function dealScores(room) {
  const scored = playsOf(room.deal).filter((event) => event.points || event.dropped);
  if (!counts(room) || !scored.length) return null;
  return h(
    "details",
    { class: "deal-scores" },
    h("summary", {}, t("result.each_score", { count: scored.length })),
    h(
      "ol",
      {},
      scored.map((event, number) =>
        h(
          "li",
          { key: number, class: event.dropped ? "dropped" : "" },
          sideMark(room.seats[event.seat].side),
          h("bdi", {}, nameOf(room, event.seat)),
          h("b", {}, event.tile),
          h("span", { class: "sum" }, playSum(room, event)),
          event.dropped ? h("span", { class: "note" }, t("moves.dropped", { target: room.settings.target })) : null,
        ),
      ),
    ),
  );
}

function nextLead(room, { next_lead: lead }) {
  if (lead === null || lead === undefined) return null;
  const text = lead === "lot" ? t("result.next_lot") : t("result.next", { name: nameOf(room, lead) });
  return h("p", { class: "next-lead" }, text);
}

function readyButtons({ room, motion }, act) {
  const own = ownSeat(room);
  const people = room.seats.filter(({ player, bot, state }) => player !== null && !bot && state === "present");
  const ready = people.filter((seat) => seat.ready).length;
  const wait = room.settings.next_deal_after;
  return [
    own === null
      ? null
      : h(
          "button",
          {
            type: "button",
            class: "primary",
            "data-testid": "ready",
            disabled: room.seats[own].ready,
            onclick: act.ready,
          },
          t(room.phase === "match_over" ? "again" : "next"),
        ),
    people.length > 1 ? h("span", { class: "ready-count" }, t("ready.count", { ready, count: people.length })) : null,
    wait && people.length > 1 && room.phase === "deal_over" ? countdown(wait, motion) : null,
  ];
}

/** A bar that runs out when the next deal starts at the latest. */
function countdown(seconds, motion) {
  const run = (node) =>
    motion &&
    node.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], {
      duration: seconds * 1000,
      fill: "forwards",
    });
  return h(
    "span",
    { class: "countdown" },
    h("span", { class: "bar", "aria-hidden": "true", attach: run }),
    h("span", {}, t("ready.latest", { count: seconds })),
  );
}

function match(scene, act) {
  const { room } = scene;
  const ended = eventOf(room.deal, "match_ended");
  if (!ended) return null;
  const home = h("button", { type: "button", onclick: act.leave }, t("leave.home"));
  return dialog(
    "match",
    sentence(ended, room, room),
    act,
    [scoreTable(room), dealTable(room), lastDealHands(room)],
    [...readyButtons(scene, act), home],
  );
}

function lastDealHands(room) {
  const ended = eventOf(room.deal, "deal_ended");
  return ended ? [resultRows(room, ended), hands(room, ended), dealScores(room)] : null;
}

function scores({ room }, act) {
  return dialog("scores", t("sheet.scores"), act, [
    scoreTable(room),
    dealTable(room),
    dealScores(room),
    movesTable(room),
  ]);
}

/** One row for each deal with what each side had after it. */
function dealTable(room) {
  const ended = eventOf(room.deal, "deal_ended");
  const deals = [...room.deals, ...(ended ? [{ number: room.deal.number, ...ended }] : [])];
  if (!deals.length) return h("p", { class: "empty" }, t("scores.none"));
  return h(
    "table",
    { class: "deals" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", {}, t("scores.deal")),
        h("th", {}, t("scores.end")),
        room.scores.map((_, side) =>
          h("th", { key: side }, h("span", { class: "who" }, sideMark(side), h("bdi", {}, sideLabel(room, side)))),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      deals.map((deal, number) => dealRow(room, deal, deals[number - 1])),
    ),
  );
}

function dealRow(room, deal, before) {
  return h(
    "tr",
    { key: deal.number },
    h("th", {}, formatNumber(deal.number)),
    h("td", {}, dealEndSentence(deal, room)),
    deal.scores.map((score, side) => {
      const start = deal.number === 1 ? 0 : before?.scores[side];
      const gain = start === undefined ? 0 : score - start; // of a very long match the first deals are not listed
      return h(
        "td",
        { key: side, class: "score" },
        h("b", {}, formatNumber(score)),
        gain > 0 ? h("span", { class: "gain" }, `+${formatNumber(gain)}`) : null,
      );
    }),
  );
}

/** On a phone the moves have no room beside the felt, so they stand here. */
function movesTable(room) {
  const plays = playsOf(room.deal);
  if (!plays.length) return null;
  return h(
    "section",
    { class: "deal-moves" },
    h("h3", {}, t("moves")),
    h(
      "ol",
      {},
      plays.map((event, number) =>
        h(
          "li",
          { key: number },
          sideMark(room.seats[event.seat].side),
          h("bdi", {}, nameOf(room, event.seat)),
          h("b", {}, event.tile),
          h("span", { class: "sum" }, playSum(room, event)),
        ),
      ),
    ),
  );
}

function rules({ room }, act) {
  const { game, target, seats } = room.settings;
  const lines = ["goal", "turn", "score", "end"].map((part) =>
    h("section", { key: part }, h("h3", {}, t(`rules.${part}`)), h("p", {}, t(`rules.${game}.${part}`, { target }))),
  );
  const partners =
    seats === 4
      ? h("section", { key: "partners" }, h("h3", {}, t("rules.partners")), h("p", {}, t("rules.partners.text")))
      : null;
  return dialog("rules", t(`game.${game}`), act, [lines, isExact(room) ? pointsTable() : null, partners]);
}

/** What each total is worth in Fives and Threes. */
function pointsTable() {
  const worth = [
    [3, 1],
    [5, 1],
    [6, 2],
    [9, 3],
    [10, 2],
    [12, 4],
    [15, 8],
    [18, 6],
    [20, 4],
  ];
  const cells = (place) => worth.map((pair) => h("td", { key: pair[0] }, formatNumber(pair[place])));
  return h(
    "table",
    { class: "points" },
    h(
      "tbody",
      {},
      h("tr", {}, h("th", {}, t("rules.total")), cells(0)),
      h("tr", {}, h("th", {}, t("rules.points")), cells(1)),
    ),
  );
}

function reactions(_, act) {
  return dialog(
    "reactions",
    t("react"),
    act,
    h(
      "div",
      { class: "reaction-grid", "data-testid": "reactions" },
      REACTIONS.map((key) =>
        h("button", { key, type: "button", onclick: () => act.react(key) }, icon(key), t(`reaction.${key}`)),
      ),
    ),
  );
}

function invite({ room }, act) {
  return dialog("invite", t("sheet.invite"), act, invitation(room, act));
}

function menu({ room }, act) {
  const entry = (name) => h("button", { key: name, type: "button", onclick: () => act.open(name) }, t(`sheet.${name}`));
  return dialog("menu", t("table.title", { code: room.room }), act, [
    h("p", { class: "muted" }, t("game.to", { game: t(`game.${room.settings.game}`), target: room.settings.target })),
    h(
      "div",
      { class: "menu-list" },
      entry("scores"),
      entry("rules"),
      entry("invite"),
      h("button", { type: "button", onclick: act.leave }, t("leave")),
    ),
  ]);
}
