/** Folds what clients were told, from standard input, and writes the room after each update. */

import { readFileSync } from "node:fs";

import { reduce } from "../../server/web/fold.js";

const stays = JSON.parse(readFileSync(0, "utf8"));

const folded = stays.map(({ player, snapshot, updates }) => {
  let room = reduce(null, snapshot, player);
  return updates.map((update) => (room = reduce(room, update, player)));
});

process.stdout.write(JSON.stringify(folded));
