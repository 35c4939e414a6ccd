// SPDX-License-Identifier: Apache-2.0
// Tables: sorted by a click on a heading, cut into pages, searched, written as CSV.
import {h, download, announce, newId, toggle} from "./dom.js";
import {rowsOf, isNumeric, decimalsFor, textOf, withoutUnit} from "./data.js";

const ROWS = 50;  // of a page
const SHORT = 24;  // characters that stay on one line

/** RFC 4180, numbers never rounded. */
export function csvOf(columns, order) {
  const cell = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [columns.map((column) => cell(column.name)).join(",")];
  for (const row of order) lines.push(columns.map((column) => cell(column.values[row])).join(","));
  return `${lines.join("\n")}\n`;
}

function compare(a, b) {
  if (a === b) return 0;
  if (a === null) return 1;  // nothing comes last
  if (b === null) return -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", {numeric: true});
}

export function rowsText(count) {
  return `${textOf(count, 0)} ${count === 1 ? "row" : "rows"}`;
}

/** Long texts have room, or they would be one word wide beside many numbers. */
function classOf(value) {
  return typeof value !== "string" ? null : value.length <= SHORT ? "short" : "long";
}

/**
 * A table with its tools.
 * options.columns: names to show, all if not given; options.filter(row): which rows; options.cell(column, row): an
 * element or text in place of the value; options.rowClass(row); options.order: rows in the order that is shown first;
 * options.extra: more headings [{title, cell(row)}]; options.caption; options.name of the CSV file; options.search;
 * options.rows of a page
 */
export function tableView(table, options = {}) {
  const columns = table.columns
    .map((column, at) => ({...column, values: table.values[at]}))
    .filter((column) => !options.columns || options.columns.includes(column.name));
  for (const column of columns) {
    column.numeric = isNumeric(column.values);
    column.decimals = decimalsFor(column.values);
  }
  const all = options.order ?? Array.from({length: rowsOf(table)}, (_, i) => i);
  const rows = options.rows ?? ROWS;
  let sorted = null;  // {column, down}
  let from = 0;
  let words = "";
  let shown = all;

  const caption = options.caption ?? table.title;
  const id = newId("table");
  const body = h("tbody");
  const heads = columns.map((column, at) => {
    const button = h("button", {type: "button", onclick: () => sort(at)}, withoutUnit(column.title, column.unit),
      column.unit && column.unit !== column.title ? h("span", {class: "unit"}, ` ${column.unit}`) : null);
    return h("th", {scope: "col", class: column.numeric ? "number" : null}, button);
  });
  const extra = (options.extra ?? []).map((each) => h("th", {scope: "col"}, each.title));
  const element = h("table", {id, class: options.class ?? null}, h("caption", {class: "unseen"}, caption),
    h("thead", {}, h("tr", {}, heads, extra)), body);
  const scroller = h("div", {class: "scroller", tabindex: "0", role: "region", "aria-label": `Table: ${caption}`}, element);
  const place = h("span", {class: "place"});
  const back = h("button", {type: "button", onclick: () => go(-rows), "aria-label": "Rows before"}, "‹");
  const forth = h("button", {type: "button", onclick: () => go(rows), "aria-label": "Rows behind"}, "›");
  const search = h("input", {type: "search", placeholder: "Search", "aria-label": `Search in ${caption}`,
    oninput: () => { words = search.value.toLowerCase(); from = 0; update(); }});
  const csv = h("button", {type: "button", onclick: () => download(`${options.name ?? table.id}.csv`, csvOf(columns, shown))}, "CSV");
  const bar = h("div", {class: "tools"}, all.length > 8 || options.search ? search : null,
    h("span", {class: "pages"}, back, place, forth), csv);
  const view = h("div", {class: "table-view"}, bar, scroller,
    (table.notes ?? []).map((note) => h("p", {class: "note"}, note)));

  function sort(at) {
    sorted = sorted?.at === at ? (sorted.down ? null : {at, down: true}) : {at, down: false};
    heads.forEach((head, i) => {
      if (sorted?.at === i) head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    from = 0;
    update();
    announce(sorted ? `sorted by ${columns[at].title}, ${sorted.down ? "falling" : "rising"}` : "in the first order");
  }

  function go(by) {
    from = Math.max(0, Math.min(from + by, Math.floor((shown.length - 1) / rows) * rows));
    update();
  }

  function matches(row) {
    if (options.filter && !options.filter(row)) return false;
    return !words || table.values.some((values) => String(values[row] ?? "").toLowerCase().includes(words));
  }

  function cells(row) {
    return columns.map((column) => {
      const own = options.cell?.(column, row);
      const value = column.values[row];
      return h("td", {class: column.numeric ? "number" : classOf(value)}, own ?? textOf(column.values[row], column.decimals));
    }).concat((options.extra ?? []).map((each) => h("td", {}, each.cell(row))));
  }

  function update() {
    shown = all.filter(matches);
    if (sorted) {
      const values = columns[sorted.at].values;
      const sign = sorted.down ? -1 : 1;
      shown = [...shown].sort((a, b) => (values[a] === null || values[b] === null ? compare(values[a], values[b]) : sign * compare(values[a], values[b])));
    }
    body.replaceChildren(...shown.slice(from, from + rows).map((row) => h("tr", {class: options.rowClass?.(row) ?? null}, cells(row))));
    const last = Math.min(from + rows, shown.length);
    place.textContent = shown.length === 0 ? "no rows" : shown.length <= rows ? rowsText(shown.length) : `${textOf(from + 1, 0)}–${textOf(last, 0)} of ${textOf(shown.length, 0)}`;
    back.hidden = forth.hidden = shown.length <= rows;
    back.disabled = from === 0;
    forth.disabled = last >= shown.length;
  }

  update();
  return {view, update, rows: () => shown};
}

/** Buttons that hide the rows with a word and show them again. @param off the words that are hidden */
export function wordButtons(words, rows, wordOf, off, update) {
  return words.map((word) => [word, rows.filter((row) => wordOf(row) === word).length]).filter(([, count]) => count).map(([word, count]) => toggle(`${word} ${count}`, true, (on) => {
    if (on) off.delete(word);
    else off.add(word);
    update();
  }));
}

/**
 * A table that is laid out when it is opened.
 * options as of tableView(), and: id; open; tools(update): elements above the table, given what shows it again
 */
export function foldedTable(table, summary, options = {}) {
  const details = h("details", {class: "folded", id: options.id}, h("summary", {}, summary));
  const fill = () => {
    if (!details.open || details.children.length > 1) return;
    const view = tableView(table, options);
    details.append(...[options.tools?.(view.update), view.view].filter(Boolean));
  };
  details.addEventListener("toggle", fill);
  if (options.open) details.open = true;
  fill();
  return details;
}
