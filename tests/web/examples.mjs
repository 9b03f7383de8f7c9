/** Writes the examples of the rules. */

import { COUNTS, LAYOUTS } from "../../server/web/sheets/examples.js";

process.stdout.write(JSON.stringify({ layouts: LAYOUTS, counts: COUNTS }));
