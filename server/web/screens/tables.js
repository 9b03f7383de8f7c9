/** The open tables: who plays where, live, to join or to watch. */

import { h } from "../keyed.js";
import { t } from "../texts.js";

/** The list in each of its states: not looked for, being fetched, without a line, empty, or with tables. */
export function openTables({ hall, link }, act) {
  return h(
    "section",
    { class: "card list", key: "tables", "data-testid": "tables", "aria-busy": String(Boolean(hall && !hall.tables)) },
    h("h2", {}, t("home.tables")),
    content(hall, link, act),
  );
}

function content(hall, link, act) {
  if (!hall) return h("button", { key: "look", type: "button", onclick: act.lookForTables }, t("home.tables.look"));
  if (link.status === "lost" || !navigator.onLine) return note("offline", t("home.tables.offline"));
  if (!hall.tables) return skeleton();
  if (!hall.tables.length) return note("none", t("home.tables.none"));
  return h(
    "ul",
    { key: "list" },
    hall.tables.map((table) => h("li", { key: table.room }, line(table, act))),
  );
}

function note(name, text) {
  return h("p", { key: name, class: `empty ${name}` }, text);
}

function skeleton() {
  return h(
    "div",
    { key: "skeleton", class: "skeleton", role: "status", "aria-label": t("connecting") },
    [0, 1, 2].map((number) => h("span", { key: number })),
  );
}

function line({ room, game, target, phase, host, free }, act) {
  const name = host ? t("home.tables.of", { name: host }) : t("table.title", { code: room });
  return h(
    "div",
    { class: "line" },
    h(
      "span",
      { class: "line-text" },
      h("b", {}, t("game.to", { game: t(`game.${game}`), target })),
      h("span", { class: "tag" }, t(phase === "lobby" ? "home.tables.lobby" : "home.tables.running")),
      h("span", { class: "muted wide" }, `${name} · ${t("home.tables.free", { count: free })}`),
    ),
    h(
      "span",
      { class: "line-buttons" },
      free
        ? h(
            "button",
            { key: "join", type: "button", class: "primary", onclick: () => act.go(`/t/${room}`) },
            t(phase === "lobby" ? "join" : "home.tables.join_next"),
          )
        : null,
      h("button", { key: "watch", type: "button", onclick: () => act.watchTable(room) }, t("watch")),
    ),
  );
}
