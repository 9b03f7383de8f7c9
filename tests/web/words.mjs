/** The words of the page in English, the guide's too. */

import { readFileSync } from "node:fs";

const FOLDER = new URL("../../server/web/i18n/", import.meta.url);

export const ENGLISH = Object.assign(
  {},
  ...["en.json", "guide/en.json"].map((path) => JSON.parse(readFileSync(new URL(path, FOLDER)))),
);
