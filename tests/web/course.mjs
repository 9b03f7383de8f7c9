/** Folds the records of standard input, and writes of each stop what there is to see. */

import { readFileSync } from "node:fs";

import { courseOf, linesAt } from "../../server/web/replay/course.js";

const records = JSON.parse(readFileSync(0, "utf8"));

const seen = ({ kind, number, name, room }, lines) => ({
  kind,
  number,
  name,
  scores: room.scores,
  hands: room.deal.hands,
  stock: room.deal.stock,
  ends: room.deal.layout.ends,
  tiles: room.seats.map(({ tiles }) => tiles),
  turn: room.turn?.seat ?? null,
  phase: room.phase,
  counting: lines.filter(({ struck }) => struck === null).length,
  struck: lines.filter(({ struck }) => struck !== null).map((line) => line.number),
});

const course = (record) => {
  const stops = courseOf(record);
  return stops.map((stop, place) => seen(stop, linesAt(stops, place)));
};

process.stdout.write(JSON.stringify(records.map(course)));
