// SPDX-License-Identifier: Apache-2.0
// What keeps people from reading a page: controls and pictures without a name in Chromium's accessibility tree, text too
// faint, ids twice, references to nothing, regions that scroll but not by the keyboard, controls within controls.

const NAMED = new Set(["button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "slider", "spinbutton", "switch", "tab", "image", "img", "graphics-document", "dialog", "DisclosureTriangle"]);

/** In the page. Limits of contrast: WCAG 2.1, 1.4.3: 4.5, and 3 for text of 24 pixels, or 18.66 if bold. */
function faultsOfElements() {
  const faults = [];
  const note = (what, element) => faults.push(`${what}: ${element.outerHTML.slice(0, 160)}`);
  if (!document.documentElement.lang) faults.push("the page does not say its language");
  if (!document.title) faults.push("the page has no title");
  const ids = new Set();
  for (const element of document.querySelectorAll("[id]")) {
    if (ids.has(element.id)) note("id twice", element);
    ids.add(element.id);
  }
  for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "for"]) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      if (element.getAttribute(attribute).split(/\s+/).some((id) => !ids.has(id))) note(`${attribute} of nothing`, element);
    }
  }
  const controls = "a[href], button, input, select, textarea, summary";
  for (const element of document.querySelectorAll(controls)) {
    if (element.parentElement.closest(`${controls}, [role=button], [role=img]`)) note("a control within another", element);
  }

  const shown = (element) => element.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [red, green, blue] = colour.slice(0, 3).map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const over = (colour, behind) => colour.slice(0, 3).map((each, i) => each * (colour[3] ?? 1) + behind[i] * (1 - (colour[3] ?? 1)));
  const behind = (element) => {
    const all = [];
    for (let each = element; each; each = each.parentElement) all.push(numbers(getComputedStyle(each).backgroundColor));
    return all.reverse().reduce((below, colour) => over(colour.length < 4 ? [...colour, 1] : colour, below), [255, 255, 255]);
  };
  const shapesOf = new Map();
  /** What lies beneath the middle of a drawing's text: the shape that is drawn last before it. */
  const beneath = (text, page) => {
    const svg = text.ownerSVGElement;
    if (!shapesOf.has(svg)) {
      shapesOf.set(svg, [...svg.querySelectorAll("rect, circle, path, polygon")].map((shape) => ({shape, box: shape.getBoundingClientRect(), style: getComputedStyle(shape)}))
        .filter(({shape, style}) => style.fill.startsWith("rgb") && !shape.closest("defs")));
    }
    const {left, right, top, bottom} = text.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return shapesOf.get(svg).filter(({shape, box}) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom && shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)
      .reduce((below, {style}) => over([...numbers(style.fill).slice(0, 3), (numbers(style.fill)[3] ?? 1) * Number(style.fillOpacity) * Number(style.opacity)], below), page);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || seen.has(element) || element.closest("script, style, noscript, :disabled") || !shown(element)) continue;
    seen.add(element);
    const style = getComputedStyle(element);
    const inSvg = element instanceof SVGElement;
    const back = inSvg ? beneath(element, behind(element.ownerSVGElement.parentElement)) : behind(element);
    const front = over(numbers(inSvg ? style.fill : style.color), back);
    const [one, other] = [luminance(front), luminance(back)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if ((one + 0.05) / (other + 0.05) < least) note(`contrast ${((one + 0.05) / (other + 0.05)).toFixed(2)} in place of ${least}`, element);
  }
  for (const element of document.querySelectorAll("body *")) {
    if (element instanceof SVGElement || !shown(element)) continue;
    const {overflowX, overflowY} = getComputedStyle(element);
    const scrolls = (/(auto|scroll)/.test(overflowX) && element.scrollWidth > element.clientWidth + 1) || (/(auto|scroll)/.test(overflowY) && element.scrollHeight > element.clientHeight + 1);
    if (scrolls && element.tabIndex < 0 && !element.querySelector(`${controls}, [tabindex='0']`)) note("scrolls, but not by the keyboard", element);
  }
  return faults;
}

/** Sentences; none if everyone can read the page. */
export async function accessibilityFaults(page) {
  const faults = await page.evaluate(faultsOfElements);
  const {nodes} = await page.send("Accessibility.getFullAXTree");
  for (const {ignored, role, name, backendDOMNodeId} of nodes) {
    if (ignored || !NAMED.has(role?.value) || name?.value) continue;
    const {outerHTML} = await page.send("DOM.getOuterHTML", {backendNodeId: backendDOMNodeId});
    faults.push(`${role.value} without a name: ${outerHTML.slice(0, 160)}`);
  }
  return faults;
}
