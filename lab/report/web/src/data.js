// SPDX-License-Identifier: Apache-2.0
// The data of the page, and the columns of its tables.

/** The page's data, as page_json() of lab/report/page.h has it. */
export const page = JSON.parse(document.getElementById("data").textContent);

const tables = new Map(page.tables.map((table) => [table.id, table]));

export function tableOf(id) {
  return tables.get(id);
}

export function rowsOf(table) {
  return table.values.length ? table.values[0].length : 0;
}

export function columnOf(table, name) {
  const at = table.columns.findIndex((column) => column.name === name);
  return at < 0 ? null : {...table.columns[at], values: table.values[at]};
}

/** A number, or a text that is one as SQL's printf gives it ("1,234.5", "+3.1 %"); else null. */
export function numberOf(value) {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value === "") return null;
  const plain = value.replaceAll(",", "").replace(/ %$/, "").replace(/^\+/, "");
  if (!/^-?\d*\.?\d+(e[+-]?\d+)?$/i.test(plain)) return null;
  return Number(plain);
}

/** A cell as a part of a curve's or panel's name. */
export function nameOf(value) {
  return value === null ? "-" : String(value);
}

/** Whether all cells that are there are numbers. */
export function isNumeric(values) {
  return values.some((value) => typeof value === "number") && values.every((value) => value === null || typeof value === "number");
}

/** As many decimals as show five digits of the smallest number, at most 3; up to 6 if all are below 0.1. */
export function decimalsFor(values) {
  let smallest = Infinity;
  let largest = 0;
  let whole = true;
  for (const value of values) {
    if (typeof value !== "number" || value === 0) continue;
    whole = whole && Number.isInteger(value);
    smallest = Math.min(smallest, Math.abs(value));
    largest = Math.max(largest, Math.abs(value));
  }
  if (whole) return 0;
  const digits = Math.floor(Math.log10(smallest));
  return largest < 0.1 ? Math.min(6, Math.max(3, 2 - digits)) : Math.min(3, Math.max(0, 4 - digits));
}

/** "1,234.50" */
export function textOf(value, decimals) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  const digits = Number.isInteger(value) && Math.abs(value) < 1e15 ? 0 : decimals;
  return value.toLocaleString("en", {minimumFractionDigits: digits, maximumFractionDigits: digits});
}

/** Four digits, for axes, tips and summaries; whole numbers as they are. */
export function short(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e7) return textOf(value, 0);
  if (size >= 1e6 || size < 1e-3) return value.toPrecision(digits).replace(/\.?0+(e|$)/, "$1");
  return Number(value.toPrecision(digits)).toLocaleString("en", {maximumFractionDigits: 15});
}

/** Whether a value may stand at a linear axis: 0.45, 400, or a multiple of a power of two such as 448. */
export function isRound(value) {
  if (value === 0 || Number(value.toPrecision(2)) === value) return true;
  let odd = Math.abs(value);
  if (!Number.isInteger(odd)) return false;
  while (odd % 2 === 0) odd /= 2;
  return odd < 16;
}

/** Words for the ticks of an axis: "1.5M", "200k" where numbers are large, alike for all unless they span decades. */
export function tickTexts(ticks) {
  const sizes = ticks.map(Math.abs).filter((size) => size > 0);
  const most = Math.max(...sizes, 0);
  const alike = Math.min(...sizes) > 0.01 * most;
  const textWith = (digits) => (value) => {
    const size = alike && value !== 0 ? most : Math.abs(value);
    const [unit, word] = size >= 1e6 ? [1e6, "M"] : size >= 1e5 ? [1e3, "k"] : [1, ""];
    return unit === 1 ? short(value, digits) : `${Number((value / unit).toPrecision(digits))}${word}`;
  };
  let digits = 4;
  while (digits < 12 && new Set(ticks.map(textWith(digits))).size < new Set(ticks).size) ++digits;  // near each other
  return textWith(digits);
}

export function withUnit(text, unit) {
  return unit ? `${text} ${unit}` : text;
}

/** "latency" of "latency ns" and "latency (ns)", because the unit stands beside it. */
export function withoutUnit(title, unit) {
  for (const end of unit ? [` (${unit})`, ` ${unit}`] : []) if (title.endsWith(end)) return title.slice(0, -end.length);
  return title;
}

/** "latency (ns)" */
export function heading(title, unit) {
  return unit && unit !== title ? `${withoutUnit(title, unit)} (${unit})` : title;
}
