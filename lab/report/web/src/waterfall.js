// SPDX-License-Identifier: Apache-2.0
// A message from begin to end: a bar for each part, working or waiting.
import {group as grouped, max, min, sum, ticks as linearTicks} from "d3-array";
import {h, onRedraw, colour} from "./dom.js";
import {tableOf, columnOf, rowsOf, tickTexts, textOf, decimalsFor} from "./data.js";
import {foldedTable} from "./tables.js";
import {styleOf} from "./chart/marks.js";

const MOST = 400;

export function waterfallView(waterfall) {
  const table = tableOf(waterfall.table);
  const column = (name) => columnOf(table, name)?.values ?? [];
  const [leg, group, where, what, packet, from, to, waiting, behind] = ["leg", "group", "where", "what", "packet", "from_ns", "to_ns", "waiting", "behind"].map(column);
  const rows = Array.from({length: rowsOf(table)}, (_, row) => row);
  const legs = grouped(rows, (row) => leg[row]);
  const spans = new Map(Array.from(legs, ([name, own]) => [name, [min(own, (row) => from[row]), max(own, (row) => to[row])]]));
  const all = [min(from), max(to)];
  const longest = max(spans.values(), ([low, high]) => high - low);
  const apart = all[1] - all[0] > 3 * longest;  // packets of a run, far from each other: each from its own begin
  const groups = [...new Set(group.filter((each) => each !== null))];
  const decimals = decimalsFor(from.concat(to));
  const body = h("tbody");
  const [first, span] = apart ? [0, longest] : [all[0], all[1] - all[0]];  // of the axis
  const values = linearTicks(first, first + span, 5);
  const words = tickTexts(values);
  const partOf = (value) => (span ? (100 * (value - first)) / span : 0);
  const ticks = h("div", {class: "ticks", "aria-hidden": "true"}, values.map((value) => h("span", {style: `left:${partOf(value)}%`, class: partOf(value) > 94 ? "last" : partOf(value) < 4 ? "first" : null}, words(value))));
  const lines = values.map((value) => `linear-gradient(var(--grid),var(--grid)) ${partOf(value)}% 0/1px 100% no-repeat`).join(",");

  function barOf(row) {
    const begin = apart ? spans.get(leg[row])[0] : first;
    const left = (100 * (from[row] - begin)) / span;
    const width = (100 * (to[row] - from[row])) / span;
    const style = styleOf(Math.max(0, groups.indexOf(group[row])));
    const bar = h("div", {class: `bar ${waiting[row]}`, "data-row": row, style: `left:${left}%;width:${width}%;--bar:${style.colour}`});
    return h("div", {class: "track"}, bar);
  }

  function fill(every) {
    body.replaceChildren();
    let last = null;
    for (const row of every ? rows : rows.slice(0, MOST)) {
      if (leg[row] !== last) {
        last = leg[row];
        const [first, final] = spans.get(last);
        const waited = sum(legs.get(last), (each) => (waiting[each] === "waiting" ? to[each] - from[each] : 0));
        body.append(h("tr", {class: "leg"}, h("th", {colspan: "5", scope: "colgroup"}, `${last}${apart ? ` from ${textOf(first, decimals)} ns on` : ""}: ${textOf(final - first, decimals)} ns, of it waiting ${textOf(waited, decimals)} ns`)));
      }
      body.append(h("tr", {}, h("td", {}, where[row]), h("td", {}, `${what[row]}${waiting[row] === "waiting" ? ` (waiting${behind[row] ? ` for packet ${behind[row]}` : ""})` : ""}`), h("td", {class: "number"}, textOf(from[row], decimals)),
        h("td", {class: "number"}, textOf(to[row] - from[row], decimals)), h("td", {class: "bars", title: `packet ${packet[row]}`}, barOf(row))));
    }
    if (!every && rows.length > MOST) {
      body.append(h("tr", {}, h("td", {colspan: "5"}, h("button", {type: "button", onclick: () => fill(true)}, `Show all ${rows.length} parts`))));
    }
  }

  const legend = h("div", {class: "legend"});
  const draw = () => {
    legend.replaceChildren(...groups.map((name, i) => h("span", {class: "key"}, h("span", {class: "swatch", style: `--bar:${styleOf(i).colour}`}), h("span", {}, name))),
      h("span", {class: "key"}, h("span", {class: "swatch waiting", style: `--bar:${colour("ink-2")}`}), h("span", {}, "waiting")));
    fill(false);
  };
  onRedraw(draw);
  draw();
  const sums = groups.length ? sumsOf() : null;

  /** Working and waiting by leg and group. */
  function sumsOf() {
    const content = {id: `${table.id}-sums`, title: `Sums of ${waterfall.title}`, columns: [{name: "leg", title: "leg", unit: ""}, {name: "group", title: "group", unit: ""}, {name: "working_ns", title: "working", unit: "ns"}, {name: "waiting_ns", title: "waiting", unit: "ns"}], values: [[], [], [], []], notes: []};
    for (const [each, parts] of legs) {
      for (const name of groups) {
        const own = parts.filter((row) => group[row] === name);
        if (!own.length) continue;
        const total = (kind) => Number(sum(own.filter((row) => waiting[row] === kind), (row) => to[row] - from[row]).toFixed(3));
        [each, name, total("working"), total("waiting")].forEach((value, i) => content.values[i].push(value));
      }
    }
    return foldedTable(content, "Sums by group");
  }

  return h("figure", {class: "waterfall", style: `--lines:${lines}`}, h("h3", {}, waterfall.title), legend,
    h("div", {class: "scroller", tabindex: "0", role: "region", "aria-label": `Parts of ${waterfall.title}`},
      h("table", {}, h("caption", {class: "unseen"}, waterfall.title), h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "where"), h("th", {scope: "col"}, "what"), h("th", {scope: "col", class: "number"}, "from ns"), h("th", {scope: "col", class: "number"}, "takes ns"), h("th", {scope: "col", class: "bars"}, h("span", {class: "unseen"}, "bar"), ticks))), body)),
    waterfall.notes.map((note) => h("p", {class: "note"}, note)), sums, foldedTable(table, "Table of all parts"));
}
