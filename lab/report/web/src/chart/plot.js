// SPDX-License-Identifier: Apache-2.0
// The drawing of one panel of a chart: its axes, curves, bars and marks.
import {sum, ticks as linearTicks} from "d3-array";
import {scaleBand, scaleLinear, scaleLog, scalePoint} from "d3-scale";
import {line} from "d3-shape";
import {s, colour} from "../dom.js";
import {short, tickTexts, isRound} from "../data.js";
import {symbolPath, PUBLISHED} from "./marks.js";
import {heatScale, inkOn} from "../drawing.js";
import {pictureOfPoints} from "./canvas.js";

const TOP = 18;
const RIGHT = 16;
const BOTTOM = 26;
const LETTER = 6.6;  // of the font, about
const LINE = 14;
const MOST_ELEMENTS = 3000;  // points of a panel; more become a picture

/** Whether the points of these curves are drawn as a picture. */
export function isPicture(curves, textual) {
  return !textual && sum(curves, (curve) => curve.points.length) > MOST_ELEMENTS;
}

export function hasInterval(point) {
  return point.low !== null && point.high !== null;
}

/** 1, 2, 5, 10, ... or, over many decades, their powers of ten. */
function logTicks([low, high]) {
  const decades = Math.log10(high / low);
  const steps = decades > 4 ? [1] : decades > 1.6 ? [1, 3] : decades > 0.7 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 8];
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
    for (const step of steps) {
      const tick = Number((step * 10 ** power).toPrecision(3));
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

/** The values of the x axis themselves where they are few and round (sizes, hops), as far as their words have room. */
function xTicksOf({x: domain, xs, logX}, x) {
  const own = xs.length <= 12 && xs.every((value) => isRound(value) || (logX && Number.isInteger(value)));
  const [left, right] = x.range();
  const all = own ? xs : logX ? logTicks(domain) : linearTicks(...domain, Math.max(2, Math.floor((right - left) / 75)));
  const words = tickTexts(all);
  const half = (value) => 4 + 3.4 * words(value).length;
  return apart(all, (value, last) => x(value) - half(value) > x(last) + half(last));
}

/** Those that are far enough from the last that was kept. */
function apart(values, isApart) {
  const kept = [];
  for (const value of values) if (!kept.length || isApart(value, kept[kept.length - 1])) kept.push(value);
  return kept;
}

function longest(texts) {
  return Math.max(1, ...texts.map((each) => each.length));
}

/** Of [{name, x, y}], the ends of curves in pixels: whether the names have room beside them, with this width at most. */
function namesFit(ends, most) {
  const ys = ends.map((end) => end.y).sort((a, b) => a - b);
  return ends.length > 1 && ends.every(({name, x}) => x === ends[0].x && !/^[0-9]/.test(name)) && LETTER * longest(ends.map(({name}) => name)) < most
    && ys.every((y, i) => i === 0 || y - ys[i - 1] >= LINE);
}

/**
 * Draws a panel.
 * curves: [{name, points, style, only: "line" or "marks" alone}]; domain: {words} or {x, xs, logX} and {y, logY}; form: of the chart; marks: the
 * bands, crossings [{x, within_noise}] and published numbers of this panel; styleOf(name): of a curve; naming: names stand at the ends of
 * lines if there is room.
 * @return {svg, x, y, placeOf, named}: the scales, where a point of one of the returned curves stands, in pixels, and whether names are there
 */
export function drawPanel({curves: shown, domain, form, marks, styleOf, naming = false}, width, height) {
  const bars = form === "bars";
  const {words} = domain;
  const yTicks = domain.logY ? logTicks(domain.y) : linearTicks(...domain.y, Math.max(3, Math.floor(height / 55)));
  const yTexts = yTicks.map(tickTexts(yTicks));
  const left = 16 + 7 * longest(yTexts);
  const bottom = height - BOTTOM;
  const y = (domain.logY ? scaleLog() : scaleLinear()).domain(domain.y).range([bottom, TOP]);
  const ends = form === "lines" && naming && !isPicture(shown, words) ? shown.map(({name, points: all}) => ({name, x: all[all.length - 1].x, y: y(all[all.length - 1].y)})) : [];
  const named = namesFit(ends, 0.3 * width);
  const right = width - RIGHT - (named ? LETTER * longest(ends.map(({name}) => name)) : 0);
  const tilted = words && longest(words) > (right - left) / words.length / 6.5;
  const whole = height + (tilted ? Math.min(120, longest(words) * 4.2) : 0);
  const x = words ? (bars ? scaleBand().padding(0.25) : scalePoint().padding(0.4)).domain(words) : (domain.logX ? scaleLog() : scaleLinear()).domain(domain.x);
  x.range([left, right]);

  const band = words ? x.bandwidth() / shown.length : bars ? 6 : 0;  // of each of the bars that stand side by side
  const curves = shown.map((curve, i) => ({...curve, aside: (i - (shown.length - 1) / 2) * band}));
  const middle = (value) => x(value) + (words ? x.bandwidth() / 2 : 0);
  const placeOf = (curve, point) => [middle(point.x) + curve.aside, y(point.y)];
  const within = (scale, value) => {
    const [low, high] = scale.domain();
    return scale(Math.min(high, Math.max(low, value)));
  };

  const ink = colour("ink-2");
  const front = colour("ink");
  const content = s("g", {fill: front, "font-size": 12, "text-anchor": "middle"});
  /** A group of marks with a name; attributes are those of all of them. */
  const add = (mark, children, attributes = {}) => {
    if (children.length) content.append(s("g", {"data-mark": mark, ...attributes}, children));
  };
  const upright = (at, from = TOP, to = bottom) => s("line", {x1: at, x2: at, y1: from, y2: to});
  const level = (at) => s("line", {x1: left, x2: right, y1: at, y2: at});
  const interval = (at, {low, high}) => upright(at, within(y, low), within(y, high));
  const box = (x1, x2, y1, y2) => s("rect", {x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1)});
  const onTop = (at, text) => s("text", {x: at, y: TOP - 2}, text);

  function axes() {
    const xTicks = words ?? xTicksOf(domain, x);
    const xTexts = words ?? xTicks.map(tickTexts(xTicks));
    add("grid", [...yTicks.map((tick) => level(y(tick))), ...(words ? [] : xTicks.map((tick) => upright(x(tick))))], {stroke: colour("grid"), "shape-rendering": "crispEdges"});
    add("ticks", [...yTicks.map((tick) => s("path", {d: `M${left},${y(tick)}h-6`})), ...xTicks.map((tick) => s("path", {d: `M${middle(tick)},${bottom}v6`}))], {stroke: ink, "shape-rendering": "crispEdges"});
    add("y-axis", yTicks.map((tick, i) => s("text", {x: left - 9, y: y(tick), dy: "0.32em"}, yTexts[i])), {fill: ink, "text-anchor": "end"});
    add("x-axis", xTicks.map((tick, i) => s("text", tilted ? {transform: `translate(${middle(tick)},${bottom + 9}) rotate(-35)`, dy: "0.5em"} : {x: middle(tick), y: bottom + 18}, xTexts[i])),
      {fill: ink, "text-anchor": tilted ? "end" : null});
  }

  /** Where networks saturate, and where curves cross. */
  function found() {
    const spans = marks.bands.filter((each) => !each.series);
    add("band", spans.flatMap(({low, high}) => [s("rect", {x: x(low), y: TOP, width: x(high) - x(low), height: bottom - TOP, stroke: "none"}), upright(x(low)), upright(x(high))]),
      {fill: colour("warn"), "fill-opacity": 0.18, stroke: colour("warn")});
    for (const each of marks.bands) if (each.series) add("saturation", [upright(x(each.low))], {stroke: styleOf(each.series).colour, "stroke-dasharray": "1 3", "stroke-width": 2});
    const bars = marks.crossings.filter((each) => each.low !== null);
    add("crossing-bar", bars.map(({low, high}) => box(within(x, low), within(x, high), TOP, bottom)), {fill: ink, "fill-opacity": 0.12, stroke: "none"});
    for (const noise of [false, true]) add("crossing", marks.crossings.filter((each) => each.within_noise === noise).map((each) => upright(x(each.x))), {stroke: ink, "stroke-dasharray": noise ? "2 4" : "4 3"});
    const labelled = apart([...marks.crossings].sort((a, b) => a.x - b.x), (mark, last) => x(mark.x) - x(last.x) > 38);  // the list below has all
    add("labels", [...spans.map(({low, high}) => onTop(x((low + high) / 2), `${short(low)} to ${short(high)}`)), ...labelled.map((mark) => onTop(x(mark.x), `${mark.within_noise ? "~" : ""}${short(mark.x)}`))],
      {fill: ink, "font-weight": 600});
  }

  function points() {
    if (isPicture(curves, words)) {
      content.append(pictureOfPoints(curves, form === "lines", placeOf, width, height));
      return;
    }
    if (!bars) {
      const joined = (curve) => curve.points.length > 1 && (form === "lines" ? curve.only !== "marks" : curve.only === "line");
      for (const curve of curves.filter(joined)) {
        add("curve", [s("path", {d: line()(curve.points.map((point) => placeOf({aside: 0}, point)))})], {fill: "none", "stroke-linejoin": "round", stroke: curve.style.colour, "stroke-width": 1.8, "stroke-dasharray": curve.style.dash});
      }
    }
    const half = words ? band / 2 - 1 : 2.5;
    for (const curve of bars ? curves : []) {
      add("points", curve.points.map((point) => {
        const [at, end] = placeOf(curve, point);
        return box(at - half, at + half, y(0), end);
      }), {fill: curve.style.colour, "data-curve": curve.name});
    }
    for (const curve of curves) {
      const reach = curve.points.filter(hasInterval);
      const at = (point) => placeOf(curve, point)[0];
      const caps = ({low, high}, place) => s("path", {d: `M${place - 3},${y(low)}h6M${place - 3},${y(high)}h6`});
      add("intervals", [...reach.map((point) => interval(at(point), point)), ...(bars ? reach.map((point) => caps(point, at(point))) : [])],
        {stroke: bars ? front : curve.style.colour, "stroke-width": 1.4, "data-curve": curve.name});
      if (bars || curve.only === "line") continue;
      const {hollow, colour: tint} = curve.style;
      const d = symbolPath(curve.style, curve.points.length > 150 ? 2 : 3.4);
      for (const empty of [false, true]) {
        add("points", curve.points.filter((point) => (hollow || point.hollow) === empty).map((point) => s("path", {d, transform: `translate(${placeOf(curve, point)})`})),
          {fill: empty ? colour("page") : tint, stroke: empty ? tint : colour("page"), "stroke-width": empty ? 1.5 : 0.6, "data-curve": curve.name, ...(empty && !hollow && {"data-doubted": ""})});
      }
    }
  }

  const isKnown = (mark) => mark.low !== null;

  /** A published number without a place on x is a level, one without a y a place. */
  function publishedLines() {
    const [levels, places] = ["x", "y"].map((axis) => marks.published.filter((mark) => mark[axis] === null));
    add("published uncertainty", [...levels.filter((mark) => isKnown(mark) && !words).map(({low, high}) => box(left, right, within(y, low), within(y, high))),
      ...places.filter(isKnown).map(({low, high}) => box(within(x, low), within(x, high), TOP, bottom))], {fill: ink, "fill-opacity": 0.12});
    add("published line", [...levels.map((mark) => level(y(mark.y))), ...places.map((mark) => upright(middle(mark.x)))], {stroke: ink, "stroke-dasharray": "8 4"});
  }

  function publishedPoints() {
    const both = marks.published.filter((mark) => mark.x !== null && mark.y !== null);
    add("published uncertainty", both.filter(isKnown).map((mark) => interval(middle(mark.x), mark)), {stroke: front, "stroke-width": 1.4});
    add("published", both.map((mark) => s("path", {d: symbolPath(PUBLISHED, 6.5), transform: `translate(${middle(mark.x)},${y(mark.y)})`})), {fill: "none", stroke: front, "stroke-width": 1.6});
  }

  function names() {
    for (const {name, x: at, y: end} of named ? ends : []) {
      add("name", [s("text", {x: middle(at) + 9, y: end, dy: "0.32em"}, name)], {fill: styleOf(name).colour, "text-anchor": "start", "data-curve": name});
    }
  }

  axes();
  found();
  publishedLines();
  points();
  publishedPoints();
  names();
  const svg = s("svg", {width, height: whole, viewBox: `0 0 ${width} ${whole}`, "aria-hidden": "true"}, content);
  return {svg, x, y, placeOf, curves, named};
}

/** Every word, or each second, third, ..., so that they have room. */
function thinned(words, room) {
  const step = Math.max(1, Math.ceil(words.length / Math.max(1, room)));
  return words.filter((_, i) => i % step === 0);
}

/**
 * Draws a panel of a heat map: a cell for each point, its row that of its curve.
 * domain: {words: the columns, rows: names of curves from the bottom, partOf(y): from 0 to 1}. Doubtful cells are grey.
 * @return as drawPanel()
 */
export function drawCells({curves: shown, domain}, width, height) {
  const {words, rows, partOf} = domain;
  const wordOf = tickTexts(words.filter((each) => typeof each === "number"));
  const textOf = (value) => (typeof value === "number" ? wordOf(value) : value);
  const left = 16 + 7 * longest(rows);
  const bottom = height - BOTTOM;
  const right = width - RIGHT;
  const x = scaleBand().domain(words).range([left, right]).paddingInner(0.04);
  const y = scaleBand().domain(rows).range([bottom, TOP]).paddingInner(0.04);
  const curves = shown.map((curve) => ({...curve}));
  const placeOf = (curve, point) => [x(point.x) + x.bandwidth() / 2, y(curve.name) + y.bandwidth() / 2];
  const heat = heatScale();
  const ink = colour("ink-2");
  const content = s("g", {fill: colour("ink"), "font-size": 12, "text-anchor": "middle"});
  const all = curves.flatMap((curve) => curve.points.map((point) => ({point, at: placeOf(curve, point), fill: point.hollow ? colour("grid") : heat(partOf(point.y))})));
  content.append(s("g", {"data-mark": "cells"}, all.map(({point, at, fill}) => s("rect", {x: at[0] - x.bandwidth() / 2, y: at[1] - y.bandwidth() / 2, width: x.bandwidth(), height: y.bandwidth(), fill, "data-value": point.y}))));
  const texts = all.map(({point}) => short(point.y, 3));
  if (7 * longest(texts) < x.bandwidth() && LINE < y.bandwidth()) {
    content.append(s("g", {"data-mark": "values", "font-size": 11}, all.map(({point, at, fill}, i) => (point.hollow ? null : s("text", {x: at[0], y: at[1], dy: "0.35em", fill: inkOn(fill)}, texts[i]))).filter(Boolean)));
  }
  const cross = "M-4,-4L4,4M-4,4L4,-4";
  content.append(s("g", {"data-mark": "doubted", fill: "none", "stroke-width": 1.6}, all.filter(({point}) => point.hollow).map(({at}) => s("path", {d: cross, transform: `translate(${at})`, stroke: ink}))));
  content.append(
    s("g", {"data-mark": "y-axis", fill: ink, "text-anchor": "end"}, thinned(rows, (bottom - TOP) / LINE).map((row) => s("text", {x: left - 6, y: y(row) + y.bandwidth() / 2, dy: "0.32em"}, row))),
    s("g", {"data-mark": "x-axis", fill: ink}, thinned(words, (right - left) / (7 * longest(words.map(textOf)) + 7)).map((word) => s("text", {x: x(word) + x.bandwidth() / 2, y: bottom + 16}, textOf(word)))));
  const svg = s("svg", {width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"}, content);
  return {svg, x, y, placeOf, curves, named: false};
}
