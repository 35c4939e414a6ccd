// SPDX-License-Identifier: Apache-2.0
// Charts: quantities over an axis, a curve for each series, a panel for each facet.
import {extent} from "d3-array";
import {h, choice, toggle, onRedraw, colour, announce, download} from "../dom.js";
import {tableOf, columnOf, short, withUnit, withoutUnit, heading} from "../data.js";
import {panelsOf, curveNames, possibleCurves, summaryOf, isTextual} from "./panels.js";
import {styleOf, placesOf, sample, lineSample, rampSample, symbolPath, PUBLISHED} from "./marks.js";
import {drawCells, drawPanel, hasInterval, isPicture} from "./plot.js";
import {ramp} from "../drawing.js";
import {pictureOf} from "./picture.js";
import {foldedTable} from "../tables.js";
import {tipOver} from "../tip.js";

const MOST_PANELS = 12;

/** The least and the most; something if all curves are hidden. */
function reachOf(values) {
  const [low = 1, high = 10] = extent(values);
  return [low, high];
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

/** In their order as numbers if they are, else as they come. */
function ordered(values) {
  const all = [...new Set(values)];
  return all.every((value) => value !== "" && Number.isFinite(Number(value))) ? all.sort((a, b) => a - b) : all;
}

export function chartView(chart) {
  const table = tableOf(chart.table);
  const textual = isTextual(chart, table);
  const isMap = chart.form === "heat-map";
  const places = placesOf(chart.series.join("\n"), possibleCurves(chart, table));
  const state = {quantity: 0, logX: chart.x_scale === "log", logY: chart.y_scale === "log", own: false, hidden: new Set(), all: false};
  let panels = [];
  let names = [];
  let logarithmic = false;
  let reach = null;  // of the colours of a heat map
  let drawn = {columns: 1, panels: [], named: false};  // as a file has them
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
  const logX = textual || isMap ? null : toggle("log x", state.logX, (on) => { state.logX = on; draw(); });
  const logY = toggle(isMap ? "log colours" : "log y", state.logY, (on) => { state.logY = on; draw(); });
  const own = chart.facets.length ? toggle("own scales", state.own, (on) => { state.own = on; draw(); }, {title: "each panel from its least to its most"}) : null;
  bar.append(...[logX, logY, own].filter(Boolean), h("button", {type: "button", onclick: save}, "SVG"));

  const quantity = () => chart.y[state.quantity];
  const crossingsOf = () => chart.crossings.filter((mark) => mark.y_column === quantity().column);
  const styleNamed = (name) => styleOf(places.get(name));
  const only = (name) => (chart.lines.includes(name) ? "line" : chart.points.includes(name) ? "marks" : null);
  const shownCurves = (panel) => panel.curves.filter(({name}) => !state.hidden.has(name)).map((curve) => ({...curve, style: styleNamed(curve.name), only: only(curve.name)}));
  const lower = chart.beneath ? panelsOf(chart, table, chart.beneath) : [];
  const publishedIn = (panel) => chart.published.filter((mark) => (!mark.facet || mark.facet === panel.name) && (!mark.series || !state.hidden.has(mark.series)));
  const curvesOfLegend = () => (isMap ? [] : names.length > 1 || (names.length === 1 && names[0] !== "") ? names : []);
  const legendTitle = () => (curvesOfLegend().length ? chart.series.map((name) => columnOf(table, name).title).join(", ") : "");
  const sampleOf = (name) => sample(styleNamed(name), chart.form, only(name));

  /** The panels of the quantity that is shown. */
  function prepare() {
    panels = panelsOf(chart, table, quantity());
    names = curveNames(panels);
    caption.textContent = summaryOf(chart, panels, `${chart.title}, ${heading(titleOf(quantity()), chart.y_unit)}`);
    draw();
  }

  /** What has to be known to read the marks: what intervals are, where crossings are. */
  function readingNotes() {
    const lines = [];
    const drawnAsMarks = !isMap && panels.some((panel) => !isPicture(shownCurves(panel), textual) && shownCurves(panel).some(({points}) => points.some(hasInterval)));
    if (drawnAsMarks) lines.push(`${intervalText(table, quantity())}.`);
    if (logarithmic && crossingsOf().length) lines.push("Crossings are on straight lines between the points on linear axes; lines on a logarithmic axis meet elsewhere.");
    return lines;
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
    const [least] = extent(ys);
    const y = reachOf([...ys, ...(useY ? ends.filter((value) => value > 0.1 * least) : ends)]);
    const x = reachOf(xs);
    const room = (x[1] - x[0]) * 0.03 || 1;
    return {
      ...(textual ? {words: [...new Set(xs)]} : {x: useX ? logDomain(x) : [x[0] - room, x[1] + room], xs: [...new Set(xs)].sort((a, b) => a - b)}),
      y: useY ? logDomain(y) : chart.form === "bars" ? [Math.min(0, y[0] * 1.04), Math.max(0, y[1] * 1.04) || 1] : linearDomain(y),
      logX: useX, logY: useY,
    };
  }

  /** Columns, rows from the bottom, and where a value stands between the least and the most that no one doubts. */
  function cellsOf(of) {
    const points = of.flatMap((panel) => panel.curves.flatMap((curve) => curve.points));
    const sound = points.filter(({hollow}) => !hollow);
    const [low, high] = extent(sound.length ? sound : points, ({y}) => y);
    logY.disabled = low <= 0;
    logY.title = low > 0 ? "" : "there are values that are not above zero";
    const logarithmic = state.logY && low > 0;
    const scaled = logarithmic ? Math.log : Number;
    return {words: ordered(points.map(({x}) => x)), rows: ordered(of.flatMap((panel) => panel.curves.map(({name}) => name))), reach: sound.length ? [low, high] : null,
      partOf: (value) => (high > low ? (scaled(value) - scaled(low)) / (scaled(high) - scaled(low)) : 0)};
  }

  function draw() {
    if (!panels.length) return;  // not begun yet
    const whole = views.clientWidth || 860;
    const shown = state.all ? panels : panels.slice(0, MOST_PANELS);
    const columns = shown.length === 1 ? 1 : Math.max(1, Math.min(shown.length, Math.floor(whole / 320)));
    const width = Math.floor((whole - (columns - 1) * 16) / columns);
    const height = Math.round(Math.min(400, Math.max(240, width * (shown.length === 1 ? 0.5 : 0.68))));
    const domainOf = isMap ? cellsOf : domains;
    const together = domainOf(panels);
    const rows = isMap ? columnOf(table, chart.series[0]) : null;
    const yTitle = isMap ? heading(rows.title, rows.unit) : heading(chart.y_title || titleOf(quantity()), chart.y_unit);
    const xTitle = heading(chart.x_title, chart.x_unit);
    drawn = {columns, panels: [], named: false};
    views.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    views.replaceChildren(...shown.map((panel) => {
      const domain = state.own ? domainOf([panel]) : together;
      const of = (each) => !each.facet || each.facet === panel.name;
      const drawing = isMap ? drawCells({curves: panel.curves, domain}, width, height) : drawPanel({curves: shownCurves(panel), domain, form: chart.form, styleOf: styleNamed, naming: shown.length === 1, marks: {
        bands: chart.bands.filter((each) => of(each) && !state.hidden.has(each.series)),
        crossings: crossingsOf().filter((each) => of(each) && !each.curves.some((name) => state.hidden.has(name))),
        published: publishedIn(panel),
      }}, width, height);
      const holder = h("div", {class: "plot", tabindex: "0", role: "group", "aria-roledescription": "chart",
        "aria-label": `${panel.name ? `${panel.name}: ` : ""}${chart.title}; arrow keys go from point to point, up and down from curve to curve. ${caption.textContent}`}, drawing.svg);
      Object.assign(holder, {panel, drawing});
      const name = panel.name ? `${chart.facets.map((each) => columnOf(table, each).title).join(", ")}: ${panel.name}` : "";
      drawn.panels.push({name, xTitle, yTitle, svg: drawing.svg});
      drawn.named = drawing.named;
      tipOver(holder, drawing, (curve, point) => tipText(panel, curve, point));
      return h("div", {class: "panel"}, name ? h("h4", {}, name) : null,
        h("div", {class: "y-title"}, yTitle), holder, ...beneath(panel, domain, width, height), h("div", {class: "x-title"}, xTitle));
    }));
    if (panels.length > MOST_PANELS && !state.all) {
      views.append(h("button", {type: "button", class: "more", onclick: () => { state.all = true; draw(); }}, `Show all ${panels.length} panels`));
    }
    logarithmic = Boolean(together.logX || together.logY);
    reach = together.reach;
    about.replaceChildren(...readingNotes().map((words) => h("p", {class: "note"}, words)));
    drawLegend();
  }

  /** The lower panel, such as errors, over the same x. */
  function beneath(panel, domain, width, height) {
    const own = lower.find((each) => each.name === panel.name);
    if (!own) return [];
    const curves = shownCurves(own);
    const ends = curves.flatMap(({points}) => points.flatMap(({y, low, high}) => [y, low, high])).filter((value) => value !== null);
    const {svg} = drawPanel({curves, domain: {...domain, y: linearDomain(reachOf([0, ...ends])), logY: false}, form: chart.form, styleOf: styleNamed,
      marks: {bands: [], crossings: [], published: []}}, width, Math.max(120, Math.round(height * 0.4)));
    const yTitle = heading(columnOf(table, chart.beneath.column).title, chart.beneath_unit);
    if (drawn.columns === 1) drawn.panels.push({name: "", xTitle: heading(chart.x_title, chart.x_unit), yTitle, svg});
    return [h("div", {class: "y-title"}, yTitle), h("div", {class: "plot"}, svg)];
  }

  function tipText(panel, curve, point) {
    const lines = [[panel.name, isMap ? `${columnOf(table, chart.series[0]).title}: ${curve.name}` : curve.name].filter(Boolean).join(", "),
      `${chart.x_title}: ${withUnit(short(point.x), chart.x_unit)}`,
      `${titleOf(quantity())}: ${withUnit(short(point.y), chart.y_unit)}${point.low !== null ? ` (${short(point.low)} to ${short(point.high)})` : ""}`];
    return lines.filter(Boolean);
  }

  /** What is drawn beside the curves: [{sample, words}]. */
  function otherKeys() {
    const ink = colour("ink-2");
    const upright = "M0,-7V7";
    const published = chart.published.filter((mark) => !mark.series || !state.hidden.has(mark.series));
    const crossings = crossingsOf();
    return [
      [isMap && reach, () => rampSample(ramp()), `${titleOf(quantity())}: ${short(reach?.[0])} to ${withUnit(short(reach?.[1]), chart.y_unit)}${state.own ? ", of all panels" : ""}`],
      [isMap && panels.some((panel) => panel.curves.some(({points}) => points.some(({hollow}) => hollow))), () => lineSample("M-8,0H8", colour("grid"), null, 12), "in doubt: without colour"],
      [published.some((mark) => mark.x !== null && mark.y !== null), () => lineSample(symbolPath(PUBLISHED, 4), colour("ink"), null, 1.6), "published, with its uncertainty"],
      [published.some((mark) => mark.x === null), () => lineSample("M-17,0H17", ink, "8 4", 1.5), "published level"],
      [published.some((mark) => mark.y === null), () => lineSample(upright, ink, "8 4", 1.5), "published place"],
      [crossings.some((mark) => !mark.within_noise), () => lineSample(upright, ink, "4 3"), "curves cross"],
      [crossings.some((mark) => mark.low !== null), () => lineSample("M-8,0H8", colour("grid"), null, 12), "95 % of the crossing, by the ranges of all inputs"],
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
    const curves = drawn.named ? [] : curvesOfLegend().filter((name) => !state.hidden.has(name)).map((name) => ({sample: sampleOf(name), words: name}));
    const file = pictureOf({...drawn, title: chart.title, summary: caption.textContent, legend: drawn.named ? "" : legendTitle(), keys: [...curves, ...otherKeys()], notes: [...(drawn.panels.length < panels.length ? [`${drawn.panels.length} of ${panels.length} panels`] : []), ...readingNotes(), ...chart.notes]});
    download(`${chart.id}.svg`, file, "image/svg+xml");
  }

  onRedraw(draw);
  figure.start = prepare;
  return figure;
}

