/** What is read out when somebody asks for it by a key: what others see at a glance. */

import { secondsLeft } from "../clock.js";
import { END_LETTERS } from "../geometry.js";
import { ownTurnText } from "../notices.js";
import { actsOf, counts, eventOf, isCovered, isOwnTurn, ownHand, playsOf } from "../state.js";
import { formatList, plainName, sentence, sideName, spokenEnds, spokenTile, t } from "../texts.js";

/** Each {keys, name, text}: what `text` makes of a room, and of when the time of a choice `runsOut`, is read out. */
export const ALOUD_KEYS = [
  { keys: ["l"], name: "last", text: lastMove },
  { keys: ["e"], name: "ends", text: openEnds },
  { keys: ["t"], name: "turn", text: whoseTurn },
  { keys: ["p"], name: "hand", text: hand },
  { keys: ["g"], name: "score", text: scores },
  { keys: ["c"], name: "chain", text: chain },
];

function lastMove(room) {
  const act = actsOf(room.deal).at(-1);
  if (!act) return t("moves.none");
  const { side } = room.seats[act.seat];
  const before = act.scores?.map((score, other) => (other === side ? score - act.points : score));
  return sentence(act, room, { ...room, scores: before });
}

function openEnds(room) {
  const { ends, total } = room.deal.layout;
  if (!ends.length) return t("board.empty");
  return t(counts(room) ? "aloud.ends_total" : "aloud.ends", { ends: spokenEnds(room), total });
}

function whoseTurn(room, runsOut) {
  if (room.phase === "match_over") return sentence(eventOf(room.deal, "match_ended"), room, room);
  if (!room.turn) return t("status.deal_over", { number: room.deal.number });
  const name = plainName(room.seats[room.turn.seat]);
  const whose = isOwnTurn(room) ? ownTurnText(room) : t("status.others_turn", { name });
  const left = secondsLeft({ room, runsOut });
  return left === null ? whose : `${whose} · ${t("clock", { count: left })}`;
}

function hand(room) {
  const tiles = ownHand(room);
  if (isCovered(room) || !room.you.seats.length) return t("aloud.no_hand");
  return t("aloud.hand", { tiles: formatList(tiles.map(spokenTile)), count: tiles.length });
}

function scores(room) {
  return room.scores
    .map((score, side) => {
      const count = Math.max(0, room.settings.target - score);
      return t("aloud.score", { name: sideName(room, side), score, count });
    })
    .join(" ");
}

/** The line from its one end to the other, then the arms that a spinner has opened. */
function chain(room) {
  const plays = playsOf(room.deal);
  if (!plays.length) return t("board.empty");
  const arm = (end) => plays.filter((play) => play.end === end).map(({ tile }) => spokenTile(tile));
  const line = [...arm("left").reverse(), spokenTile(plays[0].tile), ...arm("right")];
  const arms = ["up", "down"].filter((end) => arm(end).length);
  return [
    t("aloud.chain", { tiles: line.join(", ") }),
    ...arms.map((end) => t("aloud.arm", { end: END_LETTERS[end], tiles: arm(end).join(", ") })),
  ].join(" ");
}
