// SPDX-License-Identifier: Apache-2.0
// The drawing of a machine: where nodes and links are.
import {scaleLinear} from "d3-scale";
import {newId, s, colour} from "./dom.js";

const RADIUS = 0.27;  // of a node, in units

const RAMPS = {
  light: ["#c6d1db", "#fbd38d", "#f59e54", "#dd4b2f", "#8f1414", "#4a0404"],
  dark: ["#364150", "#6a3d91", "#b63679", "#f1605d", "#fea772", "#fcfdbf"],
};

export function ramp() {
  return RAMPS[colour("scheme") === "dark" ? "dark" : "light"];
}

/** Colours for parts from 0 to 1: brighter or darker throughout, so that they can be read without hues. */
export function heatScale() {
  const colours = ramp();
  return scaleLinear().domain(colours.map((_, i) => i / (colours.length - 1))).range(colours).clamp(true);
}

/** Black or white, whichever is read better. @param fill "rgb(r, g, b)" */
export function inkOn(fill) {
  const [r, g, b] = fill.match(/\d+/g).map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? "#000" : "#fff";  // WCAG's contrasts with both are equal there
}

/** Which node each place belongs to: the longest block that its name begins with. */
export function nodeFinder(drawing) {
  const blocks = new Map(drawing.blocks.map((block) => [block.place, block.node]));
  return (place) => {
    for (let name = place; name; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
      if (blocks.has(name)) return blocks.get(name);
    }
    return null;
  };
}

/** The path of a link between the borders of its nodes, in pixels. */
function pathOf(link, from, to, drawing, unit) {
  const r = RADIUS * unit;
  if (link.stub) {
    const angle = (-70 + 40 * Math.max(0, link.dimension - 2)) * Math.PI / 180;
    const [cx, cy] = [Math.cos(angle), Math.sin(angle)];
    return `M${from.x + r * cx},${from.y + r * cy}l${0.2 * unit * cx},${0.2 * unit * cy}`;
  }
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [nx, ny] = [-uy, ux];  // to the right of its direction, so that both directions of a cable part
  const steps = length / unit;
  const grid = drawing.kind === "torus" || drawing.kind === "hypercube";
  if (grid && steps > 1.05) {
    const bow = drawing.kind === "hypercube" ? (0.1 + 0.13 * Math.log2(steps)) * unit : 0.42 * unit;
    const start = 0.6 * r;
    return `M${from.x + nx * start + ux * start},${from.y + ny * start + uy * start}`
      + `C${from.x + nx * bow * 1.3 + ux * unit * 0.5},${from.y + ny * bow * 1.3 + uy * unit * 0.5} `
      + `${to.x + nx * bow * 1.3 - ux * unit * 0.5},${to.y + ny * bow * 1.3 - uy * unit * 0.5} `
      + `${to.x + nx * start - ux * start * 1.2},${to.y + ny * start - uy * start * 1.2}`;
  }
  const aside = 0.075 * unit;
  const reach = Math.sqrt(Math.max(0, r * r - aside * aside)) * 1.06;
  return `M${from.x + ux * reach + nx * aside},${from.y + uy * reach + ny * aside}`
    + `L${to.x - ux * reach + nx * aside},${to.y - uy * reach + ny * aside}`;
}

/** {svg, links: Map(place -> element), nodes: Map(id -> element)} @param width in pixels */
export function drawMachine(drawing, width) {
  const xs = drawing.nodes.map((node) => node.x);
  const ys = drawing.nodes.map((node) => node.y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [columns, rows] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const border = 0.62;
  const unit = Math.max(14, Math.min(104, width / (columns + 2 * border)));
  const at = (node) => ({x: (node.x - left + border) * unit, y: (node.y - top + border) * unit});
  const size = {width: (columns + 2 * border) * unit, height: (rows + 2 * border) * unit};
  const svg = s("svg", {width: size.width, height: size.height, viewBox: `0 0 ${size.width} ${size.height}`, "aria-hidden": "true", class: "machine"});
  const places = new Map(drawing.nodes.map((node) => [node.id, at(node)]));
  const links = new Map();
  const arrows = drawing.links.length <= 700;
  const arrow = newId("arrow");
  svg.append(s("defs", {}, s("marker", {id: arrow, viewBox: "0 0 6 6", refX: 5, refY: 3, markerWidth: 3.2, markerHeight: 3.2, orient: "auto-start-reverse", markerUnits: "strokeWidth"}, s("path", {d: "M0,0L6,3L0,6Z", fill: "context-stroke"}))));
  const wires = s("g", {class: "links", fill: "none"});
  for (const link of drawing.links) {
    const path = s("path", {d: pathOf(link, places.get(link.from), places.get(link.to), drawing, unit), "data-place": link.place, "marker-end": arrows ? `url(#${arrow})` : null});
    links.set(link.place, path);
    wires.append(path);
  }
  svg.append(wires);
  const nodes = new Map();
  const bodies = s("g", {class: "nodes"});
  const r = RADIUS * unit;
  for (const node of drawing.nodes) {
    const {x, y} = places.get(node.id);
    const round = node.kind === "node";
    const wide = node.kind === "tile" || node.kind === "router" || round ? r : r * 1.35;
    const shape = round ? s("circle", {cx: x, cy: y, r}) : s("rect", {x: x - wide, y: y - r, width: 2 * wide, height: 2 * r, rx: r * 0.25});
    shape.setAttribute("data-node", node.id);
    nodes.set(node.id, shape);
    bodies.append(shape);
    const label = node.label.includes(": ") ? node.label.slice(node.label.indexOf(": ") + 2) : node.label;
    const font = Math.min(13, (2 * wide * 1.55) / Math.max(2, label.length));
    if (font >= 6) bodies.append(s("text", {x, y, "font-size": font.toFixed(1), dy: "0.35em", "text-anchor": "middle"}, label));
  }
  svg.append(bodies);
  return {svg, links, nodes};
}
