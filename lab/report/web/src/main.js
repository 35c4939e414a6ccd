// SPDX-License-Identifier: Apache-2.0
// The page: its parts in order, their table of contents, its colours.
import {h, redrawAll} from "./dom.js";
import {page, rowsOf} from "./data.js";
import {chartView} from "./chart/chart.js";
import {foldedTable, rowsText} from "./tables.js";
import {machineGroups, machinesView} from "./machine.js";
import {waterfallView} from "./waterfall.js";
import {ledgerView} from "./ledger.js";

const main = document.getElementById("main");
const waiting = new Map();  // charts that are drawn when they come near

const near = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) start(entry.target);
}, {rootMargin: "600px"});

function start(figure) {
  near.unobserve(figure);
  if (waiting.delete(figure)) figure.start();
}

function startAll() {
  for (const figure of [...waiting.keys()]) start(figure);
}

function section(id, title, children) {
  if (!children.length) return null;
  const element = h("section", {id, "aria-labelledby": `${id}-title`}, h("h2", {id: `${id}-title`}, title), children);
  main.append(element);
  return [id, title];
}

const DARK = "(prefers-color-scheme: dark)";
const darkColours = [...document.styleSheets[0].cssRules].find((rule) => rule.media?.mediaText === DARK).media;

/** @param where the dark colours hold */
function showDark(where) {
  darkColours.mediaText = where;
  redrawAll();
}

function tableSection(table, open) {
  return foldedTable(table, [`${table.title} `, h("span", {class: "note"}, rowsText(rowsOf(table)))], {id: `table-${table.id}`, open});
}

function build() {
  const entries = [];
  const charts = page.charts.map((chart) => {
    const figure = chartView(chart);
    waiting.set(figure, true);
    near.observe(figure);
    return figure;
  });
  const shown = new Set([...page.ledgers.map((ledger) => ledger.table), ...page.waterfalls.map((each) => each.table), ...page.machines.flatMap((machine) => [machine.parameters, machine.places])]);
  const rest = page.tables.filter((table) => !shown.has(table.id) && rowsOf(table) > 0);
  entries.push(section("notes", "Notes", page.notes.map((note) => h("p", {}, note))));
  entries.push(section("ledger", "Ledger", page.ledgers.map(ledgerView)));
  entries.push(section("charts", "Charts", charts));
  entries.push(section("message", "Message", page.waterfalls.map(waterfallView)));
  entries.push(section("machine", page.machines.length > 1 ? "Machines" : "Machine", machineGroups(page).map(machinesView)));
  entries.push(section("tables", "Tables", rest.map((table) => tableSection(table, rest.length === 1 && !charts.length))));
  const links = entries.filter(Boolean);
  // What was found comes before what is said about it, so the notes go behind the charts
  const notes = document.getElementById("notes");
  const tables = document.getElementById("tables");
  if (notes && tables) main.insertBefore(notes, tables);
  const nav = h("nav", {"aria-label": "Parts of the report"}, [...main.children].map((element) => h("a", {href: `#${element.id}`}, links.find(([id]) => id === element.id)[1])));
  document.querySelector("header").after(nav);
  document.body.prepend(h("a", {class: "skip", href: "#main"}, "To the content"));
  main.tabIndex = -1;
}

let width = innerWidth;
let pending = 0;
addEventListener("resize", () => {
  if (innerWidth === width) return;
  width = innerWidth;
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(redrawAll);
});
addEventListener("beforeprint", () => {
  startAll();
  showDark("not all");  // whatever the screen has
});
addEventListener("afterprint", () => showDark(DARK));
matchMedia(DARK).addEventListener("change", redrawAll);

build();
document.documentElement.dataset.ready = "yes";
