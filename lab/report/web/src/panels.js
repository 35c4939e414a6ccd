// SPDX-License-Identifier: Apache-2.0
// A chart's table cut into panels and curves, as panels_of() of lab/report/panels.cpp does it.
import {columnOf, nameOf, numberOf, rowsOf, isNumeric, short, withUnit} from "./data.js";

/** [{name, curves: [{name, points: [{x, y, low, high, row}]}]}]; x is a number, or a text where the column has texts. */
export function panelsOf(chart, table, quantity) {
  const column = (name) => (name ? columnOf(table, name) : null);
  const x = column(chart.x);
  const y = column(quantity.column);
  const half = column(quantity.half);
  const low = column(quantity.low);
  const high = column(quantity.high);
  const series = chart.series.map(column);
  const facets = chart.facets.map(column);
  const textual = isTextual(chart, table);
  const joined = (columns, row) => columns.map((each) => nameOf(each.values[row])).join(", ");
  const panels = [];
  const byName = new Map();
  const curves = new Map();
  for (let row = 0; row < rowsOf(table); ++row) {
    const at = textual ? nameOf(x.values[row]) : numberOf(x.values[row]);
    const value = numberOf(y.values[row]);
    if (at === null || value === null) continue;
    const panelName = joined(facets, row);
    let panel = byName.get(panelName);
    if (!panel) {
      panel = {name: panelName, curves: []};
      byName.set(panelName, panel);
      panels.push(panel);
    }
    const curveName = joined(series, row);
    const key = `${panelName}\n${curveName}`;
    let curve = curves.get(key);
    if (!curve) {
      curve = {name: curveName, points: []};
      curves.set(key, curve);
      panel.curves.push(curve);
    }
    const interval = half ? numberOf(half.values[row]) : null;
    curve.points.push({
      x: at, y: value, row,
      low: interval !== null ? value - interval : low ? numberOf(low.values[row]) : null,
      high: interval !== null ? value + interval : high ? numberOf(high.values[row]) : null,
    });
  }
  if (!textual) for (const curve of curves.values()) curve.points.sort((a, b) => a.x - b.x);
  return panels;
}

export function isTextual(chart, table) {
  const values = columnOf(table, chart.x).values;
  return !isNumeric(values) && values.some((value) => numberOf(value) === null);
}

/** The names of the curves of a chart whatever it shows: a variant that has no value of one quantity has one of others. */
export function possibleCurves(chart, table) {
  const series = chart.series.map((name) => columnOf(table, name).values);
  const names = new Set();
  for (let row = 0; row < rowsOf(table); ++row) names.add(series.map((values) => nameOf(values[row])).join(", "));
  return [...names];
}

/** The names of all curves, in the order in which they come. */
export function curveNames(panels) {
  const names = [];
  for (const panel of panels) for (const curve of panel.curves) if (!names.includes(curve.name)) names.push(curve.name);
  return names;
}

/** What a screen reader says of a chart. */
export function summaryOf(chart, panels, title) {
  const points = panels.reduce((sum, panel) => sum + panel.curves.reduce((n, curve) => n + curve.points.length, 0), 0);
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
