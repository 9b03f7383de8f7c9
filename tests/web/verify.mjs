/** Verifies the records of standard input in the browser's way, and writes what was found of each. */

import { readFileSync } from "node:fs";

import { verify } from "../../server/web/verify.js";

const records = JSON.parse(readFileSync(0, "utf8"));

process.stdout.write(JSON.stringify(await Promise.all(records.map(verify))));
