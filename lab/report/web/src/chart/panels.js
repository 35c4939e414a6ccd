// SPDX-License-Identifier: Apache-2.0
// A chart's table cut into panels and curves, as panels_of() of lab/figure/chart_choice.cpp does it.
import {group, sum} from "d3-array";
import {columnOf, nameOf, numberOf, rowsOf, isNumeric, short, withUnit} from "../data.js";

/**
 * [{name, curves: [{name, points: [{x, y, low, high, row, hollow}]}]}]; x is a number, or a text where the column has
 * texts; hollow: there is a doubt about the point, as is_doubted() of lab/compare/whatif/point_rows.cpp has it.
 */
export function panelsOf(chart, table, quantity) {
  const [x, y, half, low, high] = [chart.x, quantity.column, quantity.half, quantity.low, quantity.high].map((name) => (name ? columnOf(table, name).values : null));
  const doubts = columnOf(table, "doubt")?.values;
  const lasting = columnOf(table, quantity.column).rate ? ["saturated", "not settled"] : [];
  const textual = isTextual(chart, table);
  const points = [];
  for (let row = 0; row < rowsOf(table); ++row) {
    const point = {x: textual ? nameOf(x[row]) : numberOf(x[row]), y: numberOf(y[row]), row, hollow: Boolean(doubts?.[row]) && !lasting.includes(doubts[row])};
    if (point.x === null || point.y === null) continue;
    const interval = half ? numberOf(half[row]) : null;
    point.low = interval !== null ? point.y - interval : low ? numberOf(low[row]) : null;
    point.high = interval !== null ? point.y + interval : high ? numberOf(high[row]) : null;
    points.push(point);
  }
  const [panel, curve] = [chart.facets, chart.series].map((columns) => namesOf(columns, table));
  return Array.from(group(points, ({row}) => panel(row), ({row}) => curve(row)), ([name, curves]) => ({
    name, curves: Array.from(curves, ([each, own]) => ({name: each, points: textual ? own : own.sort((a, b) => a.x - b.x)})),
  }));
}

/** The cells of these columns as one name: a function of the row. */
function namesOf(columns, table) {
  const values = columns.map((name) => columnOf(table, name).values);
  return (row) => values.map((each) => nameOf(each[row])).join(", ");
}

export function isTextual(chart, table) {
  const values = columnOf(table, chart.x).values;
  return !isNumeric(values) && values.some((value) => numberOf(value) === null);
}

/** The names of the curves of a chart whatever it shows: a variant that has no value of one quantity has one of others. */
export function possibleCurves(chart, table) {
  return [...new Set(Array.from({length: rowsOf(table)}, (_, row) => row).map(namesOf(chart.series, table)))];
}

/** The names of all curves, in the order in which they come. */
export function curveNames(panels) {
  return [...new Set(panels.flatMap((panel) => panel.curves.map((curve) => curve.name)))];
}

/** What a screen reader says of a chart. */
export function summaryOf(chart, panels, title) {
  const points = sum(panels, (panel) => sum(panel.curves, (curve) => curve.points.length));
  const names = curveNames(panels);
  const parts = [`${title}: ${points} points`];
  if (names.length > 1) parts[0] += ` on ${names.length} curves`;
  if (panels.length > 1) parts[0] += ` in ${panels.length} panels`;
  for (const panel of panels.slice(0, 4)) {
    for (const curve of panel.curves.slice(0, 6)) {
      const first = curve.points[0];
      const last = curve.points[curve.points.length - 1];
      const name = [panel.name, curve.name].filter(Boolean).join(", ");
      parts.push(`${name ? `${name}: ` : ""}${withUnit(short(first.y), chart.y_unit)} at ${withUnit(short(first.x), chart.x_unit)}`
        + (curve.points.length > 1 ? `, ${withUnit(short(last.y), chart.y_unit)} at ${withUnit(short(last.x), chart.x_unit)}` : ""));
    }
  }
  for (const crossing of chart.crossings.slice(0, 8)) parts.push(`curves cross: ${crossing.label}`);
  for (const band of chart.bands.slice(0, 4)) parts.push(band.label);
  if (chart.published.length) parts.push(`${chart.published.length} published numbers`);
  return `${parts.join("; ")}.`;
}
