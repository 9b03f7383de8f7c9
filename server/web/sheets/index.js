/** The sheets over the table, by name. */

import { advice } from "./advice.js";
import { invite } from "./invite.js";
import { keys } from "./keys.js";
import { leave } from "./leave.js";
import { match } from "./match.js";
import { menu } from "./menu.js";
import { more } from "./more.js";
import { name } from "./name.js";
import { newGame, restart } from "./over.js";
import { people } from "./people.js";
import { reactions } from "./reactions.js";
import { result } from "./result.js";
import { rules } from "./rules.js";
import { scores } from "./scores.js";

const SHEETS = {
  result,
  match,
  scores,
  advice,
  rules,
  reactions,
  invite,
  menu,
  people,
  more,
  keys,
  leave,
  name,
  restart,
  new_game: newGame,
};

export { adviceOpener } from "./advice.js";
export { press } from "./keys.js";
export { followReading, readingChip } from "./reading.js";
export { request } from "./request.js";

/** The sheet that is `wanted`, by its name, or null where there is nothing for it to show. */
export function sheet(scene, wanted, act) {
  return SHEETS[wanted]?.(scene, act) ?? null;
}
