/** The list of places for the chosen tile, on the felt: a way to the ends for the keyboard. */

import { END_LETTERS } from "./geometry.js";
import { h, plainKey } from "./keyed.js";
import { counts, ownHand, ownSeat } from "./state.js";
import { t } from "./texts.js";
import { SENDING } from "./turn.js";

/** The places of the chosen tile as radio buttons; seen when the keyboard is on them. */
export function positions({ room, choice, offers }, act) {
  const offered = offers.plays.filter(({ tile }) => tile === choice.tile);
  if (!choice.tile || choice.state === SENDING || !offered.length) return null;
  return h(
    "fieldset",
    {
      class: "positions",
      "data-testid": "positions",
      key: "positions",
      onkeydown: (event) => positionKey(event, offered, act),
      attach: (node) => makeRoom(node, act),
      detach: (node) => isSeen(node) && requestAnimationFrame(act.lookBeside), // when it has gone
    },
    h("legend", {}, t("positions", { tile: choice.tile })),
    offered.map(({ end, play }) =>
      h(
        "label",
        { key: end },
        h("input", {
          type: "radio",
          name: "position",
          value: end,
          checked: choice.end === end,
          onchange: () => act.choose({ type: "end", end }),
        }),
        positionText(room, end, play),
      ),
    ),
  );
}

function positionText(room, end, play) {
  const open = room.deal.layout.ends.find((other) => other.end === end);
  const where = open ? t("position.end", { end: END_LETTERS[end], value: open.value }) : t("position.opening");
  if (!play) return where;
  const position = counts(room) ? worthText(room, where, play) : where;
  if (play.wins) return t("position.wins", { position });
  return ownHand(room).length === 1 && play.accepted !== false ? t("position.out", { position }) : position;
}

/** What a play there scores, if it counts. */
function worthText(room, where, { total, points, out_bonus: bonus, accepted }) {
  const count = points + bonus;
  if (accepted) return t("position.worth", { where, total, count });
  const before = room.scores[room.seats[ownSeat(room)].side];
  const slots = { before, event: count, sum: before + count, target: room.settings.target };
  return t("position.over", { where, total, ...slots });
}

/** The keys of the positions, each {keys, name, press}; without `press` a radio button does it by itself. */
export const POSITION_KEYS = [
  { keys: ["ArrowUp", "ArrowDown"], name: "choose" },
  { keys: [..."1234"], name: "end", press: (act, key, offered) => chooseEnd("ABCD"[key - 1], offered, act) },
  { keys: ["Enter"], name: "play", press: (act) => act.choose({ type: "confirm" }) },
  { keys: ["Escape"], name: "back", press: (act) => act.focusHand() },
];

function positionKey(event, offered, act) {
  const key = plainKey(event);
  const { press } = POSITION_KEYS.find(({ keys }) => keys.includes(key)) ?? {};
  if (!press) return;
  press(act, key, offered);
  event.stopPropagation();
  event.preventDefault();
}

function chooseEnd(letter, offered, act) {
  const offer = offered.find(({ end }) => END_LETTERS[end] === letter);
  if (offer) act.choose({ type: "end", end: offer.end });
}

/** Nothing of the line lies below the list as long as that is seen. */
function makeRoom(node, act) {
  const look = ({ relatedTarget }) => node.contains(relatedTarget) || requestAnimationFrame(act.lookBeside);
  for (const change of ["focusin", "focusout"]) node.addEventListener(change, look);
  if (isSeen(node)) act.lookBeside();
  act.positionsCame();
}

function isSeen(node) {
  return node.matches(".positions-shown *, :focus-within");
}
