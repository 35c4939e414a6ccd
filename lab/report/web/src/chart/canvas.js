// SPDX-License-Identifier: Apache-2.0
// Very many points as one picture inside the chart: each is drawn, none is an element.
import {s} from "../dom.js";

const SHARP = 2;

/** The points that decide a line at this sharpness: of each column of pixels the first, lowest, highest and last. */
function outline(places) {
  const kept = [];
  let column = null;
  for (const [left, top] of places) {
    const here = Math.round(left * SHARP);
    if (column?.here !== here) {
      column = {here, first: [left, top], low: [left, top], high: [left, top], last: [left, top]};
      kept.push(column);
    }
    if (top < column.low[1]) column.low = [left, top];
    if (top > column.high[1]) column.high = [left, top];
    column.last = [left, top];
  }
  return kept.flatMap(({first, low, high, last}) => [first, low, high, last]);
}

/** curves: [{points, style}] @param lines whether points are joined @param placeOf (curve, point) in pixels */
export function pictureOfPoints(curves, lines, placeOf, width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = width * SHARP;
  canvas.height = height * SHARP;
  const context = canvas.getContext("2d");
  context.scale(SHARP, SHARP);
  let count = 0;
  for (const curve of curves) {
    const places = curve.points.map((point) => placeOf(curve, point));
    context.fillStyle = context.strokeStyle = curve.style.colour;
    const radius = places.length > 20000 ? 0.9 : 1.6;
    if (lines) {
      context.beginPath();
      for (const place of outline(places)) context.lineTo(...place);
      context.stroke();
    }
    for (const [left, top] of places) context.fillRect(left - radius, top - radius, 2 * radius, 2 * radius);
    count += places.length;
  }
  return s("g", {"data-mark": "points"}, s("image", {width, height, href: canvas.toDataURL(), "data-points": count}));
}
