// SPDX-License-Identifier: Apache-2.0
// What curves look like: a colour, a shape and a dash each, so that no one needs colours alone.
import {colour, s} from "./dom.js";

const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross", "wye", "circle"];
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

const PATHS = {
  circle: "M4.5,0A4.5,4.5,0,1,1,-4.5,0A4.5,4.5,0,1,1,4.5,0",
  square: "M-4,-4h8v8h-8Z",
  triangle: "M0,-5L4.8,3.6H-4.8Z",
  diamond: "M0,-6L4,0L0,6L-4,0Z",
  star: "M0,-5.5L1.3,-1.7H5.2L2.1,0.7L3.2,4.5L0,2.2L-3.2,4.5L-2.1,0.7L-5.2,-1.7H-1.3Z",
  cross: "M-5,-1.7H-1.7V-5H1.7V-1.7H5V1.7H1.7V5H-1.7V1.7H-5Z",
  wye: "M-1.5,0.9L-1.5,5H1.5L1.5,0.9L5,-1.2L3.6,-3.7L0,-1.7L-3.6,-3.7L-5,-1.2Z",
};

/** The curve's line and shape for a legend. @param form of the chart */
export function sample(style, form) {
  if (form === "bars") return key(s("path", {d: "M-8,-5H8V5H-8Z", fill: style.colour}));
  return key(form === "lines" ? s("path", {d: "M-17,0H17", stroke: style.colour, "stroke-width": 1.8, "stroke-dasharray": style.dash}) : null,
    s("path", {d: PATHS[style.symbol], fill: style.hollow ? colour("page") : style.colour, stroke: style.colour}));
}

function key(...content) {
  return s("svg", {width: 34, height: 14, viewBox: "-17 -7 34 14", "aria-hidden": "true"}, content);
}

/** A line as marks beside the curves have it. */
export function lineSample(d, stroke, dash, width = 1) {
  return key(s("path", {d, fill: "none", stroke, "stroke-width": width, "stroke-dasharray": dash}));
}
