/** The rules of the game that is played, in short. */

import { h } from "../keyed.js";
import { isExact } from "../state.js";
import { formatNumber, t } from "../texts.js";
import { dialog } from "./dialog.js";

export function rules({ room }, act) {
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
