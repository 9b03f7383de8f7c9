/** The tile map: how likely each unseen tile is at one seat, or undealt, in a triangle of the whole set. */

import { h } from "../keyed.js";
import { draws, otherSeats } from "../state.js";
import { formatList, formatNumber, formatPercent, nameOf, spokenTile, t } from "../texts.js";

const PIPS = [0, 1, 2, 3, 4, 5, 6];
const TILES = PIPS.flatMap((low) => PIPS.slice(low).map((high) => `${low}-${high}`)); // in the order of the server
const STOCK = "stock";

/** `map` is that of a hint; whose tiles it shows is `scene.mapped`, a seat or "stock". */
export function tileMap(scene, { seats, stock, none_of }, act) {
  const { room } = scene;
  const holders = holdersOf(room);
  const holder = holders.find(({ key }) => key === scene.mapped) ?? holders[0];
  return h(
    "section",
    { class: "tile-map", key: "map", "data-testid": "tile-map" },
    h("h3", { id: "tile-map-title" }, t("map.title")),
    h(
      "fieldset",
      { class: "map-holders" },
      h("legend", { class: "hidden-text" }, t("map.holder")),
      holders.map(({ key, name }) => choice(key, name, key === holder.key, act)),
    ),
    triangle(holder, byTile(holder.key === STOCK ? stock : seats[holder.key])),
    ruledOut(room, none_of),
  );
}

function holdersOf(room) {
  const seats = otherSeats(room).filter(({ tiles }) => tiles > 0);
  const named = seats.map(({ seat }) => ({ key: seat, name: nameOf(room, seat) }));
  return [...named, { key: STOCK, name: t(draws(room) ? "map.boneyard" : "map.undealt") }];
}

function choice(key, name, checked, act) {
  return h(
    "label",
    { key },
    h("input", { type: "radio", name: "map-holder", value: String(key), checked, onchange: () => act.mapFor(key) }),
    h("bdi", {}, name),
  );
}

function byTile(chances) {
  return new Map(TILES.map((tile, number) => [tile, chances[number]]));
}

/** How many tiles are unseen, by the map of a hint. */
export function unseenIn({ stock }) {
  return stock.filter((chance) => chance !== null).length;
}

/** A row for each higher number, a column for each lower one. */
function triangle(holder, chances) {
  return h(
    "table",
    { "aria-label": t("map.table", { name: holder.name }) },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", { key: "corner" }),
        PIPS.map((pip) => h("th", { key: pip, scope: "col" }, formatNumber(pip))),
      ),
    ),
    h(
      "tbody",
      {},
      PIPS.map((high) =>
        h(
          "tr",
          { key: high },
          h("th", { key: "pip", scope: "row" }, formatNumber(high)),
          PIPS.slice(0, high + 1).map((low) => cell(`${low}-${high}`, chances.get(`${low}-${high}`))),
        ),
      ),
    ),
  );
}

/** A tile that is seen has no chance; the others are filled as far as they are likely, and say how likely. */
function cell(tile, chance) {
  const isSeen = chance === null;
  return h(
    "td",
    {
      key: tile,
      class: isSeen ? "seen" : chance ? "" : "never",
      "data-tile": tile,
      style: { "--part": String(chance ?? 0) },
    },
    h("span", { class: "hidden-text" }, `${spokenTile(tile)}: ${isSeen ? t("map.seen") : formatPercent(chance)}`),
    h("span", { "aria-hidden": "true" }, isSeen ? "·" : formatNumber(Math.round(chance * 100))),
  );
}

/** What a knock or a draw has ruled out. */
function ruledOut(room, noneOf) {
  const known = noneOf.flatMap((pips, seat) => (pips.length ? [{ seat, pips }] : []));
  return h(
    "ul",
    { class: "ruled-out", key: "ruled-out" },
    known.map(({ seat, pips }) =>
      h(
        "li",
        { key: seat },
        t("map.none_of", { name: nameOf(room, seat), pips: formatList(pips.map((pip) => formatNumber(pip))) }),
      ),
    ),
  );
}
