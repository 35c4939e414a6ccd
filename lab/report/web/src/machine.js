// SPDX-License-Identifier: Apache-2.0
// A machine with its parameters, and how busy its places were.
import {h, s, choice, toggle, onRedraw, announce, colour} from "./dom.js";
import {tableOf, columnOf, rowsOf, short, withUnit, heading} from "./data.js";
import {foldedTable, tableView, wordButtons} from "./tables.js";
import {drawMachine, heatScale, inkOn, ramp, nodeFinder} from "./drawing.js";

const PLACES = 12;  // rows of a page, so that what follows is on the screen
const SAMPLED = {busy_percent: ["busy", 100], bytes: ["bytes", 1], packets: ["packets", 1], queue_mean: ["queue", 1]};

/** Parameters, searched and by what their values rest on. @param name of the machine, if the drawing is of several */
function parametersView(table, name) {
  const from = columnOf(table, "provenance").values;
  const off = new Set();
  return foldedTable(table, `Parameters${name ? ` of ${name}` : ""}: ${rowsOf(table)}, with what they rest on`, {
    search: true, filter: (row) => !off.has(from[row]),
    tools: (update) => h("div", {class: "tools", role: "group", "aria-label": "Shown by provenance"}, wordButtons([...new Set(from)].sort(), [...from.keys()], (row) => from[row], off, update)),
  });
}

function timeText(ns) {
  if (ns >= 1e6) return `${short(ns / 1e6)} ms`;
  return ns >= 1e3 ? `${short(ns / 1e3)} us` : `${short(ns)} ns`;
}

/**
 * Machines that are drawn alike, in the order of the page, as [{machine, name}]; a machine with its own use stands alone.
 * The name of a variant is that of its column in the table of changes, if that has one for each machine.
 */
export function machineGroups(page) {
  const changes = tableOf("changes");
  const variants = changes?.columns[0]?.name === "what" ? changes.columns.slice(1).map((column) => column.name) : [];
  const groups = new Map();
  for (const [i, machine] of page.machines.entries()) {
    const alone = machine.places || !machine.drawing.nodes.length;
    const key = alone ? `alone ${i}` : JSON.stringify(machine.drawing);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({machine, name: variants.length === page.machines.length ? variants[i] : ""});
  }
  return [...groups.values()];
}

/** Machines of one drawing. */
export function machinesView(group) {
  if (group.length === 1) return machineView(group[0].machine, group[0].name);
  const lines = group.map(({machine, name}) => (name ? `${name}: ${machine.title}` : machine.title));
  const {machine} = group[0];
  const title = group.every(({name}) => name) ? group.map(({name}) => name).join(", ") : lines.join("; ");
  const section = h("section", {class: "machine-view"}, h("h3", {}, title));
  if (title !== lines.join("; ")) section.append(h("ul", {class: "note"}, lines.map((line) => h("li", {}, line))));
  for (const note of new Set(group.flatMap((each) => each.machine.notes))) section.append(h("p", {class: "note"}, note));
  section.append(plainView({...machine, title}));
  for (const each of group) if (each.machine.parameters) section.append(parametersView(tableOf(each.machine.parameters), each.name || each.machine.title));
  return section;
}

function machineView(machine, name) {
  const drawing = machine.drawing;
  const section = h("section", {class: "machine-view"}, h("h3", {}, name ? `${name}: ${machine.title}` : machine.title));
  for (const note of machine.notes) section.append(h("p", {class: "note"}, note));
  if (drawing.nodes.length) section.append(machine.places ? heatView(machine) : plainView(machine));
  else if (machine.places) section.append(placesView(tableOf(machine.places), columnOf(tableOf(machine.places), "busy_percent").values));
  if (machine.parameters) section.append(parametersView(tableOf(machine.parameters)));
  return section;
}

function kindText(drawing) {
  return `${drawing.kind}: ${drawing.nodes.filter((node) => node.kind === "node" || node.kind === "router" || node.kind === "tile").length} nodes, ${drawing.links.length} links`;
}

function plainView(machine) {
  const holder = h("div", {class: "drawing", role: "img", "aria-label": `Drawing of ${machine.title}, ${kindText(machine.drawing)}`});
  const draw = () => {
    const {svg, links, nodes} = drawMachine(machine.drawing, Math.min(holder.clientWidth || 720, 720));
    for (const path of links.values()) {
      path.setAttribute("stroke", colour("ink-2"));
      path.setAttribute("stroke-width", 1.4);
    }
    for (const node of nodes.values()) node.setAttribute("fill", colour("page"));
    holder.replaceChildren(svg);
  };
  onRedraw(draw);
  requestAnimationFrame(draw);
  return h("div", {}, h("p", {class: "kind"}, kindText(machine.drawing)), holder);
}

function heatView(machine) {
  const table = tableOf(machine.places);
  const columns = new Map(table.columns.map(({name}) => [name, columnOf(table, name)]));
  const [names, kinds] = ["name", "kind"].map((name) => columns.get(name).values);
  const series = machine.series;
  const nodeOf = nodeFinder(machine.drawing);
  const linkPlaces = new Set(machine.drawing.links.map((link) => link.place));
  const metrics = [...columns.values()].filter(({values}) => values.some((value) => typeof value === "number"));
  const onNodes = [...new Set(kinds.filter((_, row) => !linkPlaces.has(names[row]) && nodeOf(names[row]) !== null))];
  const isBusy = (kind) => kinds.some((each, row) => each === kind && typeof columns.get("busy_percent")?.values[row] === "number" && !linkPlaces.has(names[row]));
  const bottleneck = names.indexOf(machine.bottleneck);
  const state = {metric: metrics.some((column) => column.name === "busy_percent") ? "busy_percent" : metrics[0].name, kind: onNodes.find((kind) => kind === kinds[bottleneck] && isBusy(kind)) ?? onNodes.find(isBusy) ?? onNodes[0] ?? "", time: -1, place: names[bottleneck] ?? null, dimension: "all", stretch: false};
  const dimensions = new Map(machine.drawing.links.map((link) => [link.place, String(link.dimension)]));
  const known = [...new Set(dimensions.values())];
  const sampled = new Map((series?.places ?? []).map((place) => [place.name, place]));
  const steps = Math.max(0, ...[...sampled.values()].map((place) => Math.max(...["busy", "bytes", "packets", "queue"].map((key) => place[key]?.length ?? 0))));

  const holder = h("div", {class: "drawing", tabindex: "0", role: "group", "aria-roledescription": "heat map"});
  const says = h("div", {class: "says"});
  const key = h("div", {class: "heat-key"});
  const over = h("div", {class: "over-time"});
  let drawn = null;

  function sampleOf(name, step) {
    const [member, factor] = SAMPLED[state.metric] ?? [];
    if (!member) return null;
    const place = sampled.get(name);
    return place?.[member] ? (place[member][step] ?? 0) * factor : place ? 0 : null;
  }

  /** Of a row now, at the time of the slider. */
  function valueOf(row) {
    if (state.time >= 0) return sampleOf(names[row], state.time);
    const value = metric().values[row];
    return typeof value === "number" ? value : null;
  }

  /** Of links, or of nodes, at any time. */
  function largest(ofLinks) {
    let most = 0;
    for (let row = 0; row < names.length; ++row) {
      if (linkPlaces.has(names[row]) !== ofLinks || (!ofLinks && kinds[row] !== state.kind)) continue;
      if (state.time < 0) most = Math.max(most, valueOf(row) ?? 0);
      else for (let step = 0; step < steps; ++step) most = Math.max(most, sampleOf(names[row], step) ?? 0);
    }
    return most;
  }

  const metric = () => columns.get(state.metric);
  const unit = () => metric().unit;
  /** Whether the colours reach from nothing to the capacity of a place, which is known of busy times alone. */
  const ofCapacity = () => state.metric === "busy_percent" && !state.stretch;

  /** The row that colours each element. */
  function shownRows() {
    const ofLink = new Map();
    const ofNode = new Map();
    for (let row = 0; row < names.length; ++row) {
      const value = valueOf(row);
      if (value === null) continue;
      if (linkPlaces.has(names[row])) {
        ofLink.set(names[row], row);
      } else if (kinds[row] === state.kind) {
        const node = nodeOf(names[row]);
        if (node !== null && (!ofNode.has(node) || value > valueOf(ofNode.get(node)))) ofNode.set(node, row);
      }
    }
    return {ofLink, ofNode};
  }

  function describe(row) {
    return `${names[row]} (${kinds[row]}): ${metric().title} ${withUnit(short(valueOf(row)), unit())}`;
  }

  function select(row, loud) {
    state.place = names[row];
    says.replaceChildren(h("b", {}, `${names[row]} `), h("span", {}, `${kinds[row]}: `),
      metrics.filter(({values}) => values[row] !== null).map(({title, values, unit: of}) => `${title} ${withUnit(short(values[row]), of)}`).join(", "));
    if (loud) announce(describe(row));
    for (const element of holder.querySelectorAll(".chosen")) element.classList.remove("chosen");
    (drawn.links.get(names[row]) ?? drawn.nodes.get(nodeOf(names[row])))?.classList.add("chosen");
    drawOverTime();
  }

  function paint() {
    const most = {links: largest(true), nodes: largest(false)};
    const end = {links: ofCapacity() ? 100 : most.links || 1, nodes: ofCapacity() ? 100 : most.nodes || 1};
    const heat = heatScale();
    const {ofLink, ofNode} = shownRows();
    /** @return the row's part of the scale; null if it has none */
    const mark = (element, row, whole) => {
      if (row === undefined) return null;
      Object.assign(element.dataset, {row, value: valueOf(row)});
      return valueOf(row) / whole;
    };
    for (const [place, path] of drawn.links) {
      const part = mark(path, ofLink.get(place), end.links);
      path.style.display = state.dimension === "all" || state.dimension === dimensions.get(place) ? "" : "none";
      path.setAttribute("stroke", part === null ? colour("grid") : heat(part));
      path.setAttribute("stroke-width", part === null ? 1 : (1.8 + 4.2 * Math.min(1, part)).toFixed(2));
    }
    for (const [id, shape] of drawn.nodes) {
      const part = mark(shape, ofNode.get(id), end.nodes);
      shape.setAttribute("fill", part === null ? colour("page") : heat(part));
      const label = shape.nextElementSibling;
      if (label?.tagName === "text") label.style.fill = part === null ? colour("ink") : inkOn(shape.getAttribute("fill"));
    }
    const amount = (value) => withUnit(short(value), unit() || metric().title);
    const scale = (what, each) => h("span", {class: "scale"}, h("span", {class: "note"}, what), h("span", {}, amount(0)),
      h("span", {class: "ramp", style: `background:linear-gradient(to right,${ramp().join(",")})`}), h("span", {}, amount(end[each])),
      h("span", {class: "note"}, ofCapacity() ? `largest ${amount(most[each])}` : "the largest"));
    key.replaceChildren(...[ofLink.size ? scale("links, thicker is more:", "links") : null, ofNode.size ? scale(`nodes, their busiest ${state.kind}:`, "nodes") : null].filter(Boolean));
    stretch.disabled = state.metric !== "busy_percent";
    const busiest = order()[0];
    holder.setAttribute("aria-label", `${machine.title}, ${kindText(machine.drawing)}; ${heading(metric().title, unit())}${busiest === undefined ? "" : `; most at ${describe(busiest)}`}. Arrow keys go through the places from the most on.`);
  }

  function order() {
    return names.map((_, row) => row).filter((row) => valueOf(row) !== null).sort((a, b) => valueOf(b) - valueOf(a) || a - b);
  }

  function draw() {
    drawn = drawMachine(machine.drawing, Math.min(holder.clientWidth || 760, 900));
    holder.replaceChildren(drawn.svg);
    paint();
    if (state.place !== null) select(names.indexOf(state.place), false);
  }

  function drawOverTime() {
    over.replaceChildren();
    const row = names.indexOf(state.place);
    if (!steps || row < 0 || !sampled.has(state.place) || !SAMPLED[state.metric]) return;
    const [width, height] = [Math.min(760, over.clientWidth || 700), 70];
    const values = Array.from({length: steps}, (_, step) => sampleOf(state.place, step) ?? 0);
    const most = Math.max(...values, 1e-12);
    const d = values.map((value, step) => `${step ? "L" : "M"}${(step / steps) * width},${height - (value / most) * (height - 8)}h${width / steps}`).join("");
    over.append(h("p", {class: "note"}, `${state.place} over time, up to ${withUnit(short(most), unit())}`),
      s("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${state.place} over time: from ${short(Math.min(...values))} to ${short(most)}`},
        s("path", {d, fill: "none", stroke: colour("series-1"), "stroke-width": 1.5}),
        state.time >= 0 ? s("path", {d: `M${((state.time + 0.5) / steps) * width},0V${height}`, stroke: colour("warn"), "stroke-width": 2}) : null));
  }

  holder.addEventListener("pointerover", (event) => {
    const row = event.target.dataset?.row;
    if (row !== undefined) select(Number(row), false);
  });
  holder.addEventListener("keydown", (event) => {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    const all = order();
    const at = all.findIndex((row) => names[row] === state.place);
    select(all[Math.min(all.length - 1, Math.max(0, at + step))], true);
  });

  const stretch = toggle("stretch to the largest", false, (on) => { state.stretch = on; paint(); }, {title: "colours up to the largest value in place of 100 %"});
  const bar = h("div", {class: "tools"},
    choice("colours show", metrics.map((column) => [column.name, heading(column.title, column.unit)]), state.metric, (value) => {
      state.metric = value;
      if (!SAMPLED[value]) setTime(-1);
      if (slider) slider.disabled = !SAMPLED[value];
      paint();
      drawOverTime();
    }),
    onNodes.length > 1 ? choice("nodes show", onNodes.map((kind) => [kind, kind]), state.kind, (value) => { state.kind = value; paint(); }) : null,
    known.length > 1 ? choice("links of dimension", [["all", "all"], ...known.map((each) => [each, each])], "all", (value) => { state.dimension = value; paint(); }) : null, stretch);
  let slider = null;
  const when = h("output", {class: "when"}, "whole run");
  function setTime(step) {
    state.time = step;
    if (slider) slider.value = String(step + 1);
    const begin = (series?.from_ns ?? 0) + step * (series?.every_ns ?? 0);
    when.textContent = step < 0 ? "whole run" : `${timeText(begin)} to ${timeText(begin + series.every_ns)}`;
    slider?.setAttribute("aria-valuetext", when.textContent);
    paint();
    drawOverTime();
  }
  if (steps > 0) {
    slider = h("input", {type: "range", min: "0", max: String(steps), value: "0", "aria-label": "Time; the first place is the whole run", oninput: () => setTime(Number(slider.value) - 1)});
    bar.append(h("span", {class: "time"}, slider, when));
  }
  onRedraw(draw);
  requestAnimationFrame(draw);
  return h("div", {}, h("p", {class: "kind"}, `${kindText(machine.drawing)}${machine.what ? `; ${machine.what}` : ""}`), bar, holder, key, says, over,
    placesView(table, metric().values));
}

/** All places, those with the largest values first. */
function placesView(table, values) {
  const kinds = columnOf(table, "kind").values;
  const sorted = [...kinds.keys()].sort((a, b) => rankOf(kinds[a], values[a]) - rankOf(kinds[b], values[b]) || (values[b] ?? 0) - (values[a] ?? 0));
  return tableView(table, {order: sorted, search: true, rows: PLACES, class: "places"}).view;
}

/** What is shared stands first: a busy processor is no bottleneck of the network. Places without a value stand last. */
function rankOf(kind, value) {
  if (typeof value !== "number") return 3;
  return /\b(link|bus)$/.test(kind) ? 0 : /^(processor|core)$/.test(kind) ? 2 : 1;
}
