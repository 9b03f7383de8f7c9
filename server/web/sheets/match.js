/** What the match came to. */

import { h } from "../keyed.js";
import { eventOf } from "../state.js";
import { sentence, t } from "../texts.js";
import { dialog } from "./dialog.js";
import { readyButtons } from "./ready.js";
import { hands, resultRows } from "./result.js";
import { dealScores, scoreTable } from "./score.js";
import { dealTable } from "./scores.js";

export function match(scene, act) {
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
