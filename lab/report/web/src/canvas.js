// SPDX-License-Identifier: Apache-2.0
// Very many points as one picture inside the chart: each is drawn, none is an element.
import {s} from "./dom.js";

const SHARP = 2;

/** The points that decide a line at this sharpness: of each column of pixels the first, lowest, highest and last. */
function outline(points, x, y) {
  const kept = [];
  let column = null;
  for (const point of points) {
    const [left, top] = [x(point.x), y(point.y)];
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

/** A mark of Plot. curves: [{points, style}] @param lines whether points are joined */
export function pictureMark(curves, lines) {
  return (index, scales, values, dimensions) => {
    const {width, height} = dimensions;
    const canvas = document.createElement("canvas");
    canvas.width = width * SHARP;
    canvas.height = height * SHARP;
    const context = canvas.getContext("2d");
    context.scale(SHARP, SHARP);
    let count = 0;
    for (const {points, style} of curves) {
      context.fillStyle = context.strokeStyle = style.colour;
      const radius = points.length > 20000 ? 0.9 : 1.6;
      if (lines) {
        context.lineWidth = 1;
        context.beginPath();
        for (const place of outline(points, scales.x, scales.y)) context.lineTo(...place);
        context.stroke();
      }
      for (const point of points) {
        context.fillRect(scales.x(point.x) - radius, scales.y(point.y) - radius, 2 * radius, 2 * radius);
        ++count;
      }
    }
    return s("g", {"data-mark": "points"}, s("image", {width, height, href: canvas.toDataURL(), "data-points": count}));
  };
}
