// SPDX-License-Identifier: Apache-2.0
// What curves look like: a colour, a shape and a dash each, so that no one needs colours alone.
import {symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle, symbolWye} from "d3-shape";
import {colour, s} from "../dom.js";

const SYMBOLS = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolCross, symbolWye, symbolCircle];
const DASHES = [null, "6 3", "2 3", "8 3 2 3", null, "6 3", "2 3", "8 3 2 3"];
export const STYLES = 8;

export function styleOf(place) {
  const i = place % STYLES;
  return {colour: colour(`series-${i + 1}`), symbol: SYMBOLS[i], dash: DASHES[i], hollow: place >= SYMBOLS.length - 1};
}

const taken = new Map();  // what tells curves apart -> their names' places

/**
 * Places for styleOf(), the same on all charts of the page whose curves are told apart by the same columns: a variant
 * keeps its colour. A chart's own curves never share a place, even if the page has more names than there are styles.
 * @param columns as one text @return Map(name -> place)
 */
export function placesOf(columns, names) {
  if (!taken.has(columns)) taken.set(columns, new Map());
  const known = taken.get(columns);
  const own = new Map();
  const free = (used) => {
    for (let place = 0; ; ++place) if (!used.includes(place)) return place;
  };
  for (const name of names) if (known.has(name) && ![...own.values()].includes(known.get(name))) own.set(name, known.get(name));
  for (const name of names) {
    if (own.has(name)) continue;
    const anywhere = free([...known.values(), ...own.values()]);
    own.set(name, anywhere < STYLES ? anywhere : free([...own.values()]));
    if (!known.has(name)) known.set(name, own.get(name));
  }
  return own;
}

/** How published numbers are marked. */
export const PUBLISHED = {symbol: symbolDiamond};

/** The shape around (0, 0). @param radius of the circle of the same area */
export function symbolPath(style, radius) {
  return symbol().type(style.symbol).size(Math.PI * radius ** 2)();
}

/** The curve's line and shape for a legend. @param form of the chart @param only "line" or "marks", of the curve */
export function sample(style, form, only = null) {
  if (form === "bars") return key(s("path", {d: "M-8,-5H8V5H-8Z", fill: style.colour}));
  return key(form === "lines" && only !== "marks" || only === "line" ? s("path", {d: "M-17,0H17", stroke: style.colour, "stroke-width": 1.8, "stroke-dasharray": style.dash}) : null,
    only === "line" ? null : s("path", {d: symbolPath(style, 3.8), fill: style.hollow ? colour("page") : style.colour, stroke: style.colour}));
}

function key(...content) {
  return s("svg", {width: 34, height: 14, viewBox: "-17 -7 34 14", "aria-hidden": "true"}, content);
}

/** The colours of a heat map, from the least to the most. */
export function rampSample(colours) {
  return key(...colours.map((fill, i) => s("rect", {x: -17 + i * 34 / colours.length, y: -5, width: 34 / colours.length, height: 10, fill})));
}

/** A line as marks beside the curves have it. */
export function lineSample(d, stroke, dash, width = 1) {
  return key(s("path", {d, fill: "none", stroke, "stroke-width": width, "stroke-dasharray": dash}));
}
