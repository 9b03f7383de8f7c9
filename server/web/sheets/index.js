/** The sheets over the table, by name. */

import { invite } from "./invite.js";
import { match } from "./match.js";
import { menu } from "./menu.js";
import { people } from "./people.js";
import { reactions } from "./reactions.js";
import { result } from "./result.js";
import { rules } from "./rules.js";
import { scores } from "./scores.js";

const SHEETS = { result, match, scores, rules, reactions, invite, menu, people };

/** The sheet called `name`, or null where there is nothing for it to show. */
export function sheet(scene, name, act) {
  return SHEETS[name]?.(scene, act) ?? null;
}
