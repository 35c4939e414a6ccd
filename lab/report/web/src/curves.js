// SPDX-License-Identifier: Apache-2.0
// Charts: quantities over an axis, a curve for each series, a panel for each facet.
import {plot, line, dot, ruleX, ruleY, text, rect, barY, axisX, axisY, gridX, gridY} from "@observablehq/plot";
import {ticks as linearTicks} from "d3-array";
import {h, choice, toggle, onRedraw, colour, announce, download} from "./dom.js";
import {tableOf, columnOf, short, tickTexts, withUnit, withoutUnit, isRound, heading} from "./data.js";
import {panelsOf, curveNames, possibleCurves, summaryOf, isTextual} from "./panels.js";
import {styleOf, placesOf, sample, lineSample} from "./marks.js";
import {pictureMark} from "./canvas.js";
import {pictureOf} from "./picture.js";
import {foldedTable} from "./tables.js";
import {tipOver} from "./tip.js";

const MOST_ELEMENTS = 3000;  // points of a panel; more become a picture
const MOST_PANELS = 12;
const BAND_PADDING = 0.25;  // between groups of bars

/** Options of a mark of Plot that give its group a name: data-mark="points", data-curve="ring". */
function named(mark, curve) {
  return {render: (index, scales, values, dimensions, context, next) => {
    const group = next(index, scales, values, dimensions, context);
    group?.setAttribute("data-mark", mark);
    if (curve !== undefined) group?.setAttribute("data-curve", curve);
    return group;
  }};
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

function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null || value === undefined || !Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

/** From zero unless that would flatten the curves. */
function linearDomain([low, high]) {
  if (low >= 0 && low < 0.6 * high) return [0, high * 1.04];
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [low - room, high + room];
}

function logDomain([low, high]) {
  return [low / 1.15, high * 1.15];
}

function hasInterval(point) {
  return point.low !== null && point.high !== null;
}

/**
 * What the intervals of a quantity are, as far as the table tells: the columns of `runs` and `..._ci95` are made where
 * runs are repeated, `beyond_noise` by a comparison of variants. Of a study's own interval only its columns are known.
 */
function intervalText(table, {column, half, low, high}) {
  const counts = columnOf(table, "runs")?.values.filter((value) => typeof value === "number") ?? [];
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const runs = least === most ? `${least} runs` : `${least} to ${most} runs`;
  if (low) return `Error bars: the interval that the table gives in its columns ${low} and ${high}`;
  if (columnOf(table, "beyond_noise") && counts.length) {
    return half === "interval" ? `Error bars: 95 % confidence interval of the mean of ${runs} (Student)`
      : `Error bars: 95 % confidence interval of the change from the base, ${runs} each (pairs of one seed)`;
  }
  if (half === `${column}_ci95` && counts.length) return `Error bars: 95 % confidence interval of the mean of ${runs} (Student)`;
  if (half.includes("ci95")) return `Error bars: 95 % confidence interval, half of it in the table's column ${half}`;
  return `Error bars: the interval of which half is in the table's column ${half}`;
}

export function chartView(chart) {
  const table = tableOf(chart.table);
  const textual = isTextual(chart, table);
  const places = placesOf(chart.series.join("\n"), possibleCurves(chart, table));
  const state = {quantity: 0, logX: chart.x_scale === "log", logY: chart.y_scale === "log", own: false, hidden: new Set(), all: false};
  let panels = [];
  let names = [];
  let logarithmic = false;
  let drawn = {columns: 1, panels: []};  // as a file has them
  const views = h("div", {class: "panels"});
  const legend = h("div", {class: "legend"});
  const marked = h("div", {class: "marked"});
  const about = h("div", {class: "about-marks"});
  const bar = h("div", {class: "tools"});
  const caption = h("figcaption", {class: "unseen"});
  const figure = h("figure", {class: "chart", id: chart.id}, h("h3", {}, chart.title), bar, legend, views, about, marked, caption,
    chart.notes.map((note) => h("p", {class: "note"}, note)));
  const used = new Set([chart.x, ...chart.series, ...chart.facets]);
  for (const quantity of chart.y) for (const name of [quantity.column, quantity.half, quantity.low, quantity.high]) if (name) used.add(name);
  figure.append(foldedTable(table, "Table of this chart", {columns: [...used], caption: `Table of: ${chart.title}`, name: chart.id}));

  const titleOf = (quantity) => withoutUnit(columnOf(table, quantity.column).title, chart.y_unit);
  if (chart.y.length > 1) {
    bar.append(choice("shows", chart.y.map((quantity, i) => [String(i), titleOf(quantity)]), "0", (value) => {
      state.quantity = Number(value);
      prepare();
    }));
  }
  const logX = textual ? null : toggle("log x", state.logX, (on) => { state.logX = on; draw(); });
  const logY = toggle("log y", state.logY, (on) => { state.logY = on; draw(); });
  const own = chart.facets.length ? toggle("own scales", state.own, (on) => { state.own = on; draw(); }, {title: "each panel from its least to its most"}) : null;
  bar.append(...[logX, logY, own].filter(Boolean), h("button", {type: "button", onclick: save}, "SVG"));

  function quantity() {
    return chart.y[state.quantity];
  }

  /** The panels of the quantity that is shown. */
  function prepare() {
    panels = panelsOf(chart, table, quantity());
    names = curveNames(panels);
    const summary = summaryOf(chart, panels, `${chart.title}, ${heading(titleOf(quantity()), chart.y_unit)}`);
    caption.textContent = summary;
    draw();
  }

  /** What has to be known to read the marks: what intervals are, where crossings are. */
  function readingNotes() {
    const lines = [];
    const drawnAsMarks = panels.some((panel) => !isPicture(shownCurves(panel)) && shownCurves(panel).some(({points}) => points.some(hasInterval)));
    if (drawnAsMarks) lines.push(`${intervalText(table, quantity())}.`);
    if (logarithmic && crossingsOf().length) lines.push("Crossings are on straight lines between the points on linear axes; lines on a logarithmic axis meet elsewhere.");
    return lines;
  }

  function crossingsOf() {
    return chart.crossings.filter((mark) => mark.y_column === quantity().column);
  }

  function isPicture(curves) {
    return !textual && curves.reduce((sum, curve) => sum + curve.points.length, 0) > MOST_ELEMENTS;
  }

  function shownCurves(panel) {
    return panel.curves.filter((curve) => !state.hidden.has(curve.name));
  }

  function publishedIn(panel) {
    return chart.published.filter((mark) => (!mark.facet || mark.facet === panel.name) && (!mark.series || !state.hidden.has(mark.series)));
  }

  /** Of these panels together. */
  function domains(of) {
    const xs = [];
    const ys = [];
    const ends = [];  // of intervals, which a logarithmic axis may cut
    for (const panel of of) {
      for (const curve of shownCurves(panel)) {
        for (const point of curve.points) {
          xs.push(point.x);
          ys.push(point.y);
          ends.push(point.low, point.high);
        }
      }
      for (const mark of publishedIn(panel)) {
        if (mark.x !== null) xs.push(mark.x);
        if (mark.y === null) continue;
        ys.push(mark.y);
        ends.push(mark.low, mark.high);
      }
    }
    const canLogX = !textual && xs.every((value) => value > 0);
    const canLogY = chart.form !== "bars" && ys.every((value) => value > 0);
    for (const [button, can] of [[logX, canLogX], [logY, canLogY]]) {
      if (!button) continue;
      button.disabled = !can;
      button.title = can ? "" : chart.form === "bars" ? "bars begin at zero" : "there are values that are not above zero";
    }
    const useX = state.logX && canLogX;
    const useY = state.logY && canLogY;
    const x = extent(xs);
    const y = extent([...ys, ...(useY ? ends.filter((value) => value > 0.1 * extent(ys)[0]) : ends)]);
    const room = (x[1] - x[0]) * 0.03 || 1;
    return {
      x: textual ? [...new Set(xs)] : useX ? logDomain(x) : [x[0] - room, x[1] + room],
      xs: textual ? [] : [...new Set(xs)].sort((a, b) => a - b),
      y: useY ? logDomain(y) : chart.form === "bars" ? [Math.min(0, y[0] * 1.04), Math.max(0, y[1] * 1.04)] : linearDomain(y),
      logX: useX, logY: useY,
    };
  }

  function placeOn(axis, log, room) {
    const [low, high] = axis;
    return (value) => room * (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  }

  /** The values of the x axis themselves where they are few and round (sizes, hops), as far as their words have room. */
  function xTicksOf(domain, room) {
    if (textual) return undefined;
    const own = domain.xs.length <= 12 && domain.xs.every((value) => isRound(value) || (domain.logX && Number.isInteger(value)));
    const all = own ? domain.xs : domain.logX ? logTicks(domain.x) : linearTicks(...domain.x, Math.max(2, Math.floor(room / 75)));
    const place = placeOn(domain.x, domain.logX, room);
    const words = tickTexts(all);
    const half = (value) => 4 + 3.4 * words(value).length;
    const kept = [];
    for (const value of all) {
      const last = kept[kept.length - 1];
      if (!kept.length || place(value) - half(value) > place(last) + half(last)) kept.push(value);
    }
    return kept;
  }

  function yTicksOf(domain, height) {
    return domain.logY ? logTicks(domain.y) : linearTicks(...domain.y, Math.max(3, Math.floor(height / 55)));
  }

  function marksOf(panel, domain, size) {
    const ink = colour("ink-2");
    const {room, tilted, xTicks, yTicks} = size;
    const curves = shownCurves(panel).map((curve) => ({...curve, style: styleOf(places.get(curve.name))}));
    const marks = [
      gridY(yTicks, {stroke: colour("grid"), strokeOpacity: 1}),
      // A format of ticks would lose some on logarithmic axes
      axisX(xTicks ?? domain.x, {text: textual ? String : tickTexts(xTicks), label: null, stroke: ink, fill: ink, tickRotate: tilted ? -35 : 0, labelArrow: "none"}),
      axisY(yTicks, {text: tickTexts(yTicks), label: null, stroke: ink, fill: ink}),
    ];
    if (!textual) marks.splice(1, 0, gridX(xTicks, {stroke: colour("grid"), strokeOpacity: 1}));
    for (const band of chart.bands) {
      if (band.facet && band.facet !== panel.name) continue;
      if (!band.series) {
        marks.push(rect([band], {x1: "low", x2: "high", fill: colour("warn"), fillOpacity: 0.18, ...named("band")}));
        marks.push(ruleX([band.low, band.high], {stroke: colour("warn"), strokeWidth: 1, ...named("band")}));
      } else if (!state.hidden.has(band.series)) {
        marks.push(ruleX([band.low], {stroke: styleOf(places.get(band.series)).colour, strokeDasharray: "1 3", strokeWidth: 2, ...named("saturation")}));
      }
    }
    const spans = chart.bands.filter((band) => !band.series && (!band.facet || band.facet === panel.name));
    marks.push(text(spans, {x: (band) => (band.low + band.high) / 2, text: (band) => `${short(band.low)} to ${short(band.high)}`, frameAnchor: "top", dy: -9, fill: ink, fontWeight: 600, ...named("bands")}));
    const shownCrossings = chart.crossings.filter((mark) => mark.y_column === quantity().column && (!mark.facet || mark.facet === panel.name)
      && mark.label.slice(0, mark.label.lastIndexOf(":")).length && ![...state.hidden].some((name) => mark.label.includes(name)));
    for (const mark of shownCrossings) {
      marks.push(ruleX([mark.x], {stroke: ink, strokeDasharray: mark.within_noise ? "2 4" : "4 3", ...named("crossing")}));
    }
    marks.push(text(spread(shownCrossings, domain, room), {x: "x", text: (mark) => `${mark.within_noise ? "~" : ""}${short(mark.x)}`, frameAnchor: "top", dy: -9, fill: ink, fontWeight: 600, ...named("crossings")}));
    for (const mark of publishedIn(panel).filter((each) => each.x === null)) {
      if (mark.low !== null && !textual) marks.push(rect([mark], {y1: "low", y2: "high", fill: ink, fillOpacity: 0.12, ...named("published uncertainty")}));
      marks.push(ruleY([mark.y], {stroke: ink, strokeDasharray: "8 4", ...named("published level")}));
    }
    if (isPicture(curves)) {
      marks.push(pictureMark(curves, chart.form === "lines"));
    } else if (chart.form === "bars") {
      const band = barWidth(domain, room, curves.length);
      for (const [i, {points, style, name}] of curves.entries()) {
        if (textual) marks.push(barY(points, {x: "x", y: "y", fill: style.colour, insetLeft: i * band + 1, insetRight: (curves.length - 1 - i) * band + 1, ...named("points", name)}));
        else marks.push(ruleX(points, {x: "x", y1: 0, y2: "y", stroke: style.colour, strokeWidth: 5, ...named("points", name)}));
      }
      for (const [i, {points, name}] of curves.entries()) {
        marks.push(ruleX(points.filter(hasInterval), {x: "x", y1: "low", y2: "high", dx: textual ? besideCentre(i, curves.length, band) : 0, stroke: colour("ink"), strokeWidth: 1.4, marker: "tick", ...named("intervals", name)}));
      }
    } else {
      for (const {points, style} of curves) {
        if (chart.form === "lines" && points.length > 1) {
          marks.push(line(points, {x: "x", y: "y", stroke: style.colour, strokeWidth: 1.8, strokeDasharray: style.dash, ...named("curve")}));
        }
      }
      for (const {points, style, name} of curves) {
        marks.push(ruleX(points.filter(hasInterval), {x: "x", y1: (point) => (domain.logY ? Math.max(point.low, domain.y[0]) : point.low), y2: "high", stroke: style.colour, strokeWidth: 1.4, ...named("intervals", name)}));
        const r = points.length > 150 ? 2 : 3.4;
        marks.push(dot(points, {x: "x", y: "y", r, symbol: style.symbol, fill: style.hollow ? colour("page") : style.colour, stroke: style.hollow ? style.colour : colour("page"), strokeWidth: style.hollow ? 1.5 : 0.6, ...named("points", name)}));
      }
    }
    for (const mark of publishedIn(panel).filter((each) => each.y === null)) {
      if (mark.low !== null) marks.push(rect([mark], {x1: "low", x2: "high", fill: ink, fillOpacity: 0.14, ...named("published uncertainty")}));
      marks.push(ruleX([mark.x], {stroke: ink, strokeDasharray: "8 4", ...named("published place")}));
    }
    const points = publishedIn(panel).filter((mark) => mark.x !== null && mark.y !== null);
    marks.push(ruleX(points.filter((mark) => mark.low !== null), {x: "x", y1: "low", y2: "high", stroke: colour("ink"), strokeWidth: 1.4, ...named("published uncertainty")}));
    marks.push(dot(points, {x: "x", y: "y", r: 6.5, symbol: "diamond", fill: "none", stroke: colour("ink"), strokeWidth: 1.6, ...named("published")}));
    return marks;
  }

  /** Of each of the bars that stand side by side. */
  function barWidth(domain, room, curves) {
    return (room / (domain.x.length + BAND_PADDING)) * (1 - BAND_PADDING) / curves;
  }

  /** From the middle of a group of bars to that of one of them. */
  function besideCentre(i, curves, band) {
    return (i - (curves - 1) / 2) * band;
  }

  function longest(texts) {
    return Math.max(1, ...texts.map((each) => String(each).length));
  }

  /** Labels that would cover each other are left out; the list below the chart has all. */
  function spread(marks, domain, room) {
    const place = placeOn(domain.x, domain.logX, room);
    const kept = [];
    for (const mark of [...marks].sort((a, b) => a.x - b.x)) if (!kept.length || place(mark.x) - place(kept[kept.length - 1].x) > 38) kept.push(mark);
    return kept;
  }

  function draw() {
    if (!panels.length) return;  // not begun yet
    const whole = views.clientWidth || 860;
    const shown = state.all ? panels : panels.slice(0, MOST_PANELS);
    const columns = shown.length === 1 ? 1 : Math.max(1, Math.min(shown.length, Math.floor(whole / 320)));
    const width = Math.floor((whole - (columns - 1) * 16) / columns);
    const height = Math.round(Math.min(400, Math.max(240, width * (shown.length === 1 ? 0.5 : 0.68))));
    const together = domains(panels);
    const yTitle = heading(chart.y_title || titleOf(quantity()), chart.y_unit);
    const xTitle = heading(chart.x_title, chart.x_unit);
    drawn = {columns, panels: []};
    views.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    views.replaceChildren(...shown.map((panel) => {
      const domain = state.own ? domains([panel]) : together;
      const yTicks = yTicksOf(domain, height);
      const left = 16 + 7 * longest(yTicks.map(tickTexts(yTicks)));
      const room = width - left - 16;
      const tilted = textual && longest(domain.x) > room / domain.x.length / 6.5;
      const size = {room, tilted, yTicks, xTicks: xTicksOf(domain, room)};
      const drawing = plot({
        width, height: height + (tilted ? Math.min(120, longest(domain.x) * 4) : 0),
        marginLeft: left, marginRight: 16, marginTop: 18, marginBottom: tilted ? 20 + Math.min(120, longest(domain.x) * 4.4) : 26,
        style: {background: "transparent", color: colour("ink"), fontSize: "12px", fontFamily: "inherit", overflow: "visible"},
        x: textual ? {type: chart.form === "bars" ? "band" : "point", domain: domain.x, padding: chart.form === "bars" ? BAND_PADDING : 0.4, round: false} : {type: domain.logX ? "log" : "linear", domain: domain.x},
        y: {type: domain.logY ? "log" : "linear", domain: domain.y, nice: false},
        marks: marksOf(panel, domain, size),
      });
      drawing.setAttribute("aria-hidden", "true");
      const holder = h("div", {class: "plot", tabindex: "0", role: "group", "aria-roledescription": "chart",
        "aria-label": `${panel.name ? `${panel.name}: ` : ""}${chart.title}; arrow keys go from point to point, up and down from curve to curve. ${caption.textContent}`}, drawing);
      holder.plot = drawing;
      holder.panel = panel;
      const name = panel.name ? `${chart.facets.map((each) => columnOf(table, each).title).join(", ")}: ${panel.name}` : "";
      drawn.panels.push({name, xTitle, yTitle, drawing});
      const curves = shownCurves(panel);
      const band = barWidth(domain, room, curves.length);
      const aside = curves.map((_, i) => (textual && chart.form === "bars" ? besideCentre(i, curves.length, band) : 0));
      tipOver(holder, drawing, curves.map((curve, i) => ({...curve, aside: aside[i]})), textual, (curve, point) => tipText(panel, curve, point));
      return h("div", {class: "panel"}, name ? h("h4", {}, name) : null,
        h("div", {class: "y-title"}, yTitle), holder, h("div", {class: "x-title"}, xTitle));
    }));
    if (panels.length > MOST_PANELS && !state.all) {
      views.append(h("button", {type: "button", class: "more", onclick: () => { state.all = true; draw(); }}, `Show all ${panels.length} panels`));
    }
    logarithmic = together.logX || together.logY;
    about.replaceChildren(...readingNotes().map((words) => h("p", {class: "note"}, words)));
    drawLegend();
  }

  function tipText(panel, curve, point) {
    const lines = [[panel.name, curve.name].filter(Boolean).join(", "),
      `${chart.x_title}: ${withUnit(short(point.x), chart.x_unit)}`,
      `${titleOf(quantity())}: ${withUnit(short(point.y), chart.y_unit)}${point.low !== null ? ` (${short(point.low)} to ${short(point.high)})` : ""}`];
    return lines.filter(Boolean);
  }

  function legendTitle() {
    return curvesOfLegend().length ? chart.series.map((name) => columnOf(table, name).title).join(", ") : "";
  }

  function curvesOfLegend() {
    return names.length > 1 || (names.length === 1 && names[0] !== "") ? names : [];
  }

  function sampleOf(name) {
    return sample(styleOf(places.get(name)), chart.form);
  }

  /** What is drawn beside the curves: [{sample, words}]. */
  function otherKeys() {
    const ink = colour("ink-2");
    const upright = "M0,-7V7";
    const published = chart.published.filter((mark) => !mark.series || !state.hidden.has(mark.series));
    const crossings = crossingsOf();
    return [
      [published.some((mark) => mark.x !== null && mark.y !== null), () => lineSample("M0,-6L4,0L0,6L-4,0Z", colour("ink"), null, 1.6), "published, with its uncertainty"],
      [published.some((mark) => mark.x === null), () => lineSample("M-17,0H17", ink, "8 4", 1.5), "published level"],
      [published.some((mark) => mark.y === null), () => lineSample(upright, ink, "8 4", 1.5), "published place"],
      [crossings.some((mark) => !mark.within_noise), () => lineSample(upright, ink, "4 3"), "curves cross"],
      [crossings.some((mark) => mark.within_noise), () => lineSample(upright, ink, "2 4"), "curves cross, within the noise"],
      [chart.bands.some((band) => band.series && !state.hidden.has(band.series)), () => lineSample(upright, ink, "1 3", 2), "saturated from here, in the curve's colour"],
      [chart.bands.some((band) => !band.series), () => lineSample("M-6,-7V7M6,-7V7", colour("warn"), null), "saturates between"],
    ].filter(([there]) => there).map(([, draw, words]) => ({sample: draw(), words}));
  }

  function drawLegend() {
    const all = curvesOfLegend();
    legend.replaceChildren(...(all.length ? [h("span", {class: "legend-title"}, legendTitle())] : []), ...all.map((name) => {
      const button = toggle("", !state.hidden.has(name), (on) => {
        if (on) state.hidden.delete(name);
        else state.hidden.add(name);
        draw();
        announce(`${name} ${on ? "shown" : "hidden"}`);
        [...legend.querySelectorAll("button")].find((each) => each.dataset.name === name)?.focus();
      }, {class: "key", "data-name": name});
      button.append(sampleOf(name), h("span", {}, name));
      return button;
    }), ...otherKeys().map(({sample: picture, words}) => h("span", {class: "key"}, picture, h("span", {}, words))));
    const items = [
      ...crossingsOf().map((mark) => ["crossing", `${mark.facet ? `${mark.facet}: ` : ""}${mark.label}${mark.within_noise ? " (within the noise)" : ""}`]),
      ...chart.bands.map((band) => ["saturation", `${band.facet ? `${band.facet}: ` : ""}${band.label}`]),
      ...chart.published.map((mark) => ["published", `${mark.id}: ${mark.y === null ? withUnit(short(mark.x), chart.x_unit) : withUnit(short(mark.y), chart.y_unit)}${mark.low !== null ? ` (${short(mark.low)} to ${short(mark.high)})` : ""}, ${mark.label}${mark.source ? ` [${mark.source.replace(/^\[|\]$/g, "")}]` : ""}`]),
    ];
    marked.replaceChildren(...(items.length ? [h("details", {}, h("summary", {}, `What is marked: ${items.length}`), h("ul", {}, items.map(([kind, words]) => h("li", {}, h("b", {}, `${kind} `), words))))] : []));
  }

  function save() {
    const curves = curvesOfLegend().filter((name) => !state.hidden.has(name)).map((name) => ({sample: sampleOf(name), words: name}));
    const file = pictureOf({...drawn, title: chart.title, summary: caption.textContent, legend: legendTitle(), keys: [...curves, ...otherKeys()], notes: [...(drawn.panels.length < panels.length ? [`${drawn.panels.length} of ${panels.length} panels`] : []), ...readingNotes(), ...chart.notes]});
    download(`${chart.id}.svg`, file, "image/svg+xml");
  }

  onRedraw(draw);
  figure.start = prepare;
  return figure;
}

