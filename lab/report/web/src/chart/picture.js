// SPDX-License-Identifier: Apache-2.0
// A chart as a file of its own: its title, panels with the titles of their axes, legend and notes, with every colour and
// font written out, because the page's style does not come along.
import {s, colour} from "../dom.js";

const FONT = "'Noto Sans', 'DejaVu Sans', 'Segoe UI', Arial, sans-serif";
const BORDER = 16;
const GAP = 16;  // between panels

let context = null;
function widthOf(words, size) {
  context ??= document.createElement("canvas").getContext("2d");
  context.font = `600 ${size}px ${FONT}`;
  return context.measureText(words).width;
}

/** The words in lines of at most this width. */
function wrapped(words, size, width) {
  const lines = [];
  for (const word of words.split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && widthOf(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/**
 * The text of an SVG file. picture: title; summary, for screen readers; columns of panels; panels [{name, xTitle, yTitle, svg}];
 * legend: its title; keys [{sample, words}]; notes: lines below.
 */
export function pictureOf(picture) {
  const svg = s("svg", {"font-family": FONT, role: "img"}, s("title", {}, picture.title), s("desc", {}, picture.summary));
  const sizes = picture.panels.map(({svg: drawn}) => ["width", "height"].map((each) => Number(drawn.getAttribute(each))));
  const room = picture.columns * sizes[0][0] + (picture.columns - 1) * GAP;
  let top = BORDER;
  const write = (words, size, attributes = {}) => {
    for (const line of wrapped(words, size, room)) {
      svg.append(s("text", {x: BORDER, y: top + size, "font-size": size, fill: colour("ink"), ...attributes}, line));
      top += size * 1.4;
    }
  };
  write(picture.title, 16, {"font-weight": 600});
  top += 6;
  for (let first = 0; first < picture.panels.length; first += picture.columns) {
    const row = picture.panels.slice(first, first + picture.columns);
    const named = row.some(({name}) => name) ? 18 : 0;
    for (const [i, {name, xTitle, yTitle, svg: drawn}] of row.entries()) {
      const left = BORDER + i * (sizes[0][0] + GAP);
      const [width, height] = sizes[first + i];
      const ink = colour("ink-2");
      if (name) svg.append(s("text", {x: left, y: top + 13, "font-size": 13, "font-weight": 600, fill: colour("ink")}, name));
      svg.append(s("text", {x: left, y: top + named + 12, "font-size": 12, fill: ink, "data-title": "y"}, yTitle), s("g", {transform: `translate(${left},${top + named + 18})`}, drawn.firstChild.cloneNode(true)),
        s("text", {x: left + width / 2, y: top + named + 18 + height + 12, "font-size": 12, fill: ink, "text-anchor": "middle", "data-title": "x"}, xTitle));
    }
    top += named + 18 + Math.max(...row.map((_, i) => sizes[first + i][1])) + 12 + GAP;
  }
  let left = BORDER;
  const place = (width) => {
    if (left > BORDER && left + width > BORDER + room) {
      left = BORDER;
      top += 20;
    }
    const at = left;
    left += width + 18;
    return at;
  };
  if (picture.legend) svg.append(s("text", {x: place(widthOf(picture.legend, 12)), y: top + 12, "font-size": 12, fill: colour("ink-2")}, picture.legend));
  for (const {sample, words} of picture.keys) {
    const at = place(42 + widthOf(words, 12));
    const key = s("g", {transform: `translate(${at + 17},${top + 8})`, "data-key": words});
    for (const child of sample.children) key.append(child.cloneNode(true));
    key.append(s("text", {x: 25, y: 4, "font-size": 12, fill: colour("ink")}, words));
    svg.append(key);
  }
  if (left > BORDER) top += 26;
  for (const note of picture.notes) write(note, 11, {fill: colour("ink-2")});
  const [width, height] = [room + 2 * BORDER, Math.ceil(top + BORDER)];
  for (const [name, value] of [["width", width], ["height", height], ["viewBox", `0 0 ${width} ${height}`]]) svg.setAttribute(name, value);
  svg.prepend(s("rect", {width, height, fill: colour("page")}));
  return new XMLSerializer().serializeToString(svg);
}
