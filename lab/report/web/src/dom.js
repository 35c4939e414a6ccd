// SPDX-License-Identifier: Apache-2.0
// Elements of the page.

function made(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** h("button", {type: "button", onclick}, "text", child): an element; a null child is left out. */
export function h(name, attributes = {}, ...children) {
  return made(document.createElement(name), attributes, children);
}

/** The same in SVG. */
export function s(name, attributes = {}, ...children) {
  return made(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

let ids = 0;
export function newId(prefix) {
  ids += 1;
  return `${prefix}-${ids}`;
}

/** A labelled choice. options: [[value, text], ...] */
export function choice(label, options, value, change) {
  const id = newId("choice");
  const select = h("select", {id, onchange: () => change(select.value)},
    options.map(([key, text]) => h("option", {value: key, selected: key === value}, text)));
  return h("span", {class: "choice"}, h("label", {for: id}, label), select);
}

/** A button that is on or off. */
export function toggle(text, on, change, attributes = {}) {
  const button = h("button", {type: "button", "aria-pressed": String(on), ...attributes}, text);
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(now));
    change(now);
  });
  return button;
}

/** Gives a text to the reader's disk. */
export function download(name, text, type = "text/csv") {
  const link = h("a", {href: URL.createObjectURL(new Blob([text], {type})), download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

let announcer = null;
/** Says something to a screen reader. */
export function announce(text) {
  if (!announcer) {
    announcer = h("div", {class: "unseen", role: "status", "aria-live": "polite"});
    document.body.append(announcer);
  }
  announcer.textContent = text;
}

const redraws = new Set();
/** Called when the colours or the width have changed. */
export function onRedraw(draw) {
  redraws.add(draw);
}
export function redrawAll() {
  for (const draw of redraws) draw();
}

/** The value of a colour of report.css. */
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
