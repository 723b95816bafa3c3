/* Steps as a table for a spreadsheet. Numbers stay numbers; a text that a spreadsheet would take for a formula gets a
   quote in front, since names in a run can be anybody's. */
import { columnsOf } from "./columns.js";

const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A field: quoted where needed, harmless where it looks like a formula. */
export function field(value) {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  let text = String(value ?? "");
  if (FORMULA.test(text) && !NUMBER.test(text)) text = `'${text}`;
  return /[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const rowsToText = (rows) => rows.map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";

/** The steps of some rooms of a stage, those that `wanted` lets through, below one line of names; two runs share one
    table. */
export function csv(stage, rooms = stage.rooms, wanted = () => true) {
  const tables = rooms.map((room) => [room, columnsOf(room.tl, (text) => stage.named(text))]);
  const names = [...new Set(tables.flatMap(([, columns]) => columns.map(([name]) => name)))];
  const many = tables.length > 1;
  const rows = tables.flatMap(([room, columns], k) =>
    room.tl.steps.filter((step) => wanted(step)).map((step) => {
      const found = new Map(columns);
      const values = names.map((name) => found.get(name)?.(step));
      return many ? [room.tl.wire.kind ?? k + 1, ...values] : values;
    }),
  );
  return rowsToText([many ? ["run", ...names] : names, ...rows]);
}
