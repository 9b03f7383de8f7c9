/** What somebody asks everybody else to consent to: above the status line, never where the buttons of the turn are. */

import { END_LETTERS } from "../geometry.js";
import { h } from "../keyed.js";
import { sideMark, unbroken } from "../pictures.js";
import { hasCome, isMeant } from "../screens/slips.js";
import { isYou } from "../state.js";
import { actSentence, formatList, nameOf, sentences, sideName, t } from "../texts.js";

/** The open request of the room, with buttons for those who are asked and for who asks. */
export function request({ room, lines, online }, act) {
  const { ask } = room;
  const mine = (seats) => seats.some((seat) => room.you.seats.includes(seat));
  return h(
    "section",
    {
      key: `request-${ask.ask}`,
      class: "request",
      "data-testid": "request",
      attach(node) {
        hasCome(node);
        act.lookBeside();
        const said = requestSentence(room, lines);
        act.say(said);
        if (mine(ask.need)) act.showAbove(sentences(said, t("ask.behind")));
      },
      detach: () => requestAnimationFrame(act.lookBeside), // when it has gone
    },
    h("p", { class: "wish" }, wish(room)),
    stake(room, lines),
    h(
      "div",
      { class: "row" },
      mine(ask.need) && [
        answer("yes", online, () => act.consent(ask.ask, true)),
        answer("no", online, () => act.consent(ask.ask, false)),
      ],
      mine([ask.seat]) && answer("withdraw", online, () => act.consent(ask.ask, false)),
      waitsFor(room),
    ),
  );
}

/** The request in sentences, to be read out: who wants what, the acts at stake, and what becomes of the scores. */
export function requestSentence(room, lines) {
  const acts = actsAtStake(room, lines);
  const told = acts.map((event) => actSentence(event, room));
  const scores = scoreChanges(room, acts).map(({ side, ...change }) =>
    t("ask.said.score", { name: sideName(room, side), ...change }),
  );
  return sentences(wish(room), ...told, ...scores);
}

function answer(name, enabled, say) {
  return h(
    "button",
    {
      key: name,
      type: "button",
      class: name === "yes" ? "primary" : "",
      "data-testid": name,
      disabled: !enabled,
      onclick: ({ currentTarget }) => isMeant(currentTarget.closest(".request")) && say(),
    },
    t(name),
  );
}

/** "Olena asks to take back": who asks for what. */
function wish(room) {
  const { what, seat, cover } = room.ask;
  const name = nameOf(room, seat);
  const other = cover === undefined ? "" : nameOf(room, cover);
  return t(isYou(room, seat) ? `ask.own.${what}` : `ask.${what}`, { name, other });
}

function waitsFor(room) {
  const others = room.ask.need.filter((seat) => !room.you.seats.includes(seat));
  if (!others.length) return null;
  return h("span", { class: "muted" }, t("ask.waits", { names: formatList(others.map((seat) => nameOf(room, seat))) }));
}

/** The acts that would go or come again, and what that makes of the scores. */
function stake(room, lines) {
  const acts = actsAtStake(room, lines);
  if (!acts.length) return null;
  return h(
    "ul",
    { class: "stake" },
    acts.map((event, number) =>
      h(
        "li",
        { key: number },
        sideMark(room.seats[event.seat].side),
        h("bdi", {}, nameOf(room, event.seat)),
        h("span", {}, unbroken(what(event))),
      ),
    ),
    scoreChanges(room, acts).map(({ side, ...change }) =>
      h("li", { key: `side-${side}`, class: "scores" }, sideMark(side), t("ask.score", change)),
    ),
  );
}

/** The sides whose scores would change with those acts, each {side, before, after}. */
function scoreChanges(room, acts) {
  if (!acts.length) return [];
  const after = room.ask.what === "undo" ? scoresBefore(room, acts[0]) : lastScores(acts);
  const changes = room.scores.map((before, side) => ({ side, before, after: after?.[side] ?? before }));
  return changes.filter(({ before, after: then }) => then !== before);
}

function what({ type, tile, end }) {
  if (type !== "played") return t(`act.${type}`);
  return end ? t("ask.play", { tile, end: END_LETTERS[end] }) : tile;
}

/**
 * The acts of this deal that the open request would take back or bring again, oldest first: as far as this page has
 * seen them happen.
 */
export function actsAtStake({ ask, seats }, lines) {
  if (ask.what === "undo") {
    const counted = lines.filter(({ struck }) => struck === null);
    const first = counted.findIndex(({ seq }) => seq === ask.to + 1);
    const asker = ({ event }) => seats[event.seat].player === seats[ask.seat].player;
    return eventsOf(counted.slice(first >= 0 ? first : counted.findLastIndex(asker)));
  }
  if (ask.what !== "redo") return [];
  const latest = Math.max(...lines.map(({ struck }) => struck ?? 0));
  return eventsOf(lines.filter(({ struck }) => struck !== null && struck === latest));
}

function eventsOf(lines) {
  return lines.map(({ event }) => event);
}

/** The scores that the match had before that act of its deal. */
function scoresBefore({ deal, deals, scores }, act) {
  const earlier = deal.events.slice(0, deal.events.indexOf(act));
  return lastScores(earlier) ?? deals.at(-1)?.scores ?? scores.map(() => 0);
}

function lastScores(events) {
  return events.findLast((event) => event.scores)?.scores;
}
