// SPDX-License-Identifier: Apache-2.0
// The ledger: simulated beside published numbers, what is worse or misses first, then the largest errors.
import {h, s, choice, colour, onRedraw, announce} from "./dom.js";
import {page, tableOf, columnOf, rowsOf, short, textOf} from "./data.js";
import {foldedTable, tableView, wordButtons} from "./tables.js";

const VERDICTS = ["fail", "worse", "miss", "new", "better", "as frozen", "pass", "not judged"];
const WIDTH = 100;
const SPAN = 2.5;  // tolerances to each side

/** An id in lines that end at its dots and underscores alone. */
function idPieces(id) {
  return id.match(/[^._]*[._]+|[^._]+$/g).map((piece) => [h("span", {class: "piece"}, piece), h("wbr")]);
}

export function ledgerView(ledger) {
  const table = tableOf(ledger.table);
  const values = (name) => columnOf(table, name)?.values ?? Array(rowsOf(table)).fill(null);
  const [id, role, verdict, within, error, tolerance] = ["id", "role", "verdict", "within_tolerance", "error_percent", "tolerance_percent"].map(values);
  const published = values("published");
  const percentOf = (name) => values(name).map((each, row) => (each === null || !published[row] ? null : 100 * each / Math.abs(published[row])));
  const [low, high] = ["error_low", "error_high"].map(percentOf);  // of the model's own error
  const verdictOf = (row) => verdict[row] ?? "not judged";
  const machineOf = (row) => id[row].split(".")[0];
  const order = [...id.keys()].sort((a, b) => VERDICTS.indexOf(verdictOf(a)) - VERDICTS.indexOf(verdictOf(b))
    || (verdictOf(a) === "pass" || verdictOf(a) === "not judged" ? 0 : Math.abs(error[b] ?? 0) - Math.abs(error[a] ?? 0)) || a - b);
  const off = {role: new Set(), verdict: new Set()};
  let machine = "";

  /** The error between its tolerances; beyond the picture an arrow. */
  function picture(row) {
    if (error[row] === null || !tolerance[row]) return h("span", {class: "note"}, "–");
    const part = error[row] / tolerance[row];
    const place = (p) => WIDTH / 2 + (Math.max(-SPAN, Math.min(SPAN, p)) / SPAN) * (WIDTH / 2 - 8);
    const beyond = Math.abs(part) > SPAN;
    const inside = within[row] === "yes";
    const tint = colour(["fail", "worse"].includes(verdictOf(row)) ? "bad" : inside ? "good" : within[row] === "no" ? "warn" : "ink-2");
    const x = place(part);
    return s("svg", {width: WIDTH, height: 16, viewBox: `0 0 ${WIDTH} 16`, role: "img", class: "error-mark", "data-error": error[row],
      "aria-label": `error ${short(error[row])} %, tolerance ${short(tolerance[row])} %${low[row] === null ? "" : `, the model's error between ${short(low[row])} and ${short(high[row])} %`}`},
      s("rect", {x: place(-1), y: 4, width: place(1) - place(-1), height: 8, fill: colour("grid")}),
      s("path", {d: `M${WIDTH / 2},1V15`, stroke: colour("ink-2"), "stroke-width": 1}),
      low[row] !== null ? s("path", {d: `M${place(low[row] / tolerance[row])},8H${place(high[row] / tolerance[row])}`, stroke: tint, "stroke-width": 2, class: "bar",
        "data-low": low[row], "data-high": high[row]}) : null,
      beyond ? s("path", {d: part > 0 ? `M${x - 3},3L${x + 5},8L${x - 3},13Z` : `M${x + 3},3L${x - 5},8L${x + 3},13Z`, fill: tint})
        : inside ? s("circle", {cx: x, cy: 8, r: 4, fill: tint}) : s("path", {d: `M${x},2.5L${x + 5},8L${x},13.5L${x - 5},8Z`, fill: tint}));
  }

  const verdictMark = (row, more) => h("span", {class: `verdict ${verdictOf(row).replace(" ", "-")} ${more}`}, verdictOf(row));

  /** What the row is about, and why it misses; the rest of its words on demand. */
  function about(row) {
    const more = ledger.words.filter(({name}) => values(name)[row] !== null).map(({name, title}) => h("div", {}, h("b", {}, `${title}: `), values(name)[row]));
    // On a narrow screen its own column is out of sight
    return h("div", {class: "about"}, verdictMark(row, "narrow"), h("div", {class: "id"}, idPieces(id[row])), h("div", {}, values("quantity")[row]),
      values("miss")[row] !== null ? h("div", {class: "why"}, values("miss")[row]) : null,
      values("says")[row] !== null ? h("div", {class: "says"}, values("says")[row]) : null,
      more.length ? h("details", {}, h("summary", {}, "why and where"), more) : null);
  }

  const seen = (column, row) => {
    if (column.name === "id") return about(row);
    if (column.name === "verdict") return verdictMark(row, "");
    const at = ledger.columns.findIndex((each) => each.name === column.name);
    if (at >= 0) return ledger.texts[row][at];
    return undefined;
  };

  const places = ledger.columns.map(({name}) => table.columns.findIndex((column) => column.name === name));
  const arranged = {...table, columns: places.map((at, i) => ({...table.columns[at], title: ledger.columns[i].title, unit: ""})), values: places.map((at) => table.values[at])};
  const view = tableView({...arranged, values: [...arranged.values, ...table.values]}, {
    order, search: true, cell: seen, class: "ledger", caption: ledger.title,
    extra: [{title: "error in tolerances", cell: picture}],
    rowClass: (row) => `is-${verdictOf(row).replace(" ", "-")}`,
    filter: (row) => !off.role.has(role[row]) && !off.verdict.has(verdictOf(row)) && (!machine || machineOf(row) === machine),
  });
  const buttons = (words, wordOf, hidden) => wordButtons(words, order, wordOf, hidden, () => {
    view.update();
    announce(`${view.rows().length} rows`);
  });
  const machines = [...new Set(order.map(machineOf))].sort();
  const bar = h("div", {class: "tools filters"},
    h("span", {role: "group", "aria-label": "Shown by verdict"}, buttons(VERDICTS, verdictOf, off.verdict)),
    h("span", {role: "group", "aria-label": "Shown by role"}, buttons([...new Set(role)], (row) => role[row], off.role)),
    machines.length > 1 ? choice("machine", [["", "all"], ...machines.map((each) => [each, each])], "", (value) => { machine = value; view.update(); }) : null);
  onRedraw(view.update);
  return h("section", {class: "ledger-view"}, h("h3", {}, ledger.title), page.ledgers.length > 1 ? h("p", {}, ledger.summary) : null, bar, view.view, foldedTable(table, "Table of all columns"),
    ledger.notes.length ? h("details", {}, h("summary", {}, `Published, but not compared: ${ledger.notes.length}`), h("ul", {}, ledger.notes.map((note) => h("li", {}, note)))) : null);
}
