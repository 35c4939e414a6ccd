// SPDX-License-Identifier: Apache-2.0
// What a point says: under the pointer, and to the arrow keys.
import {h, announce} from "./dom.js";

const NEAR = 30;  // pixels

/** @param curves of the panel; `aside`: how far right of its place on x a curve's points stand, as bars do */
export function tipOver(holder, drawing, curves, textual, textOf) {
  const x = drawing.scale("x");
  const y = drawing.scale("y");
  if (!x || !y || !curves.length) return;
  const tip = h("div", {class: "tip", hidden: true});
  const ring = h("div", {class: "ring", hidden: true});
  holder.append(ring, tip);
  let at = {curve: 0, point: -1};

  const placeOf = (curve, point) => [x.apply(point.x) + (textual && x.bandwidth ? x.bandwidth / 2 : 0) + curve.aside, y.apply(point.y)];

  function show(curve, point) {
    const [left, top] = placeOf(curve, point);
    const scale = drawing.getBoundingClientRect().width / Number(drawing.getAttribute("width")) || 1;
    tip.replaceChildren(...textOf(curve, point).map((line) => h("div", {}, line)));
    tip.hidden = ring.hidden = false;
    ring.style.left = `${left * scale}px`;
    ring.style.top = `${top * scale}px`;
    const right = left * scale > holder.clientWidth / 2;
    tip.style.left = right ? "" : `${left * scale + 12}px`;
    tip.style.right = right ? `${holder.clientWidth - left * scale + 12}px` : "";
    tip.style.top = `${Math.max(0, top * scale - 20)}px`;
  }

  function hide() {
    tip.hidden = ring.hidden = true;
  }

  holder.addEventListener("pointermove", (event) => {
    const box = drawing.getBoundingClientRect();
    const scale = box.width / Number(drawing.getAttribute("width")) || 1;
    const px = (event.clientX - box.left) / scale;
    const py = (event.clientY - box.top) / scale;
    let best = null;
    let nearest = NEAR * NEAR;
    for (const curve of curves) {
      for (const point of near(curve.points, px)) {
        const [left, top] = placeOf(curve, point);
        const distance = (left - px) ** 2 + (top - py) ** 2;
        if (distance < nearest) {
          nearest = distance;
          best = [curve, point];
        }
      }
    }
    if (best) show(...best);
    else hide();
  });

  /** Points are sorted by x: those within reach. */
  function near(points, px) {
    if (textual || points.length < 500) return points;
    const low = first(points, px - NEAR);
    return points.slice(low, first(points, px + NEAR));
  }

  function first(points, px) {
    let low = 0;
    let high = points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x.apply(points[middle].x) < px) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  holder.addEventListener("pointerleave", hide);
  holder.addEventListener("blur", hide);
  holder.addEventListener("keydown", (event) => {
    const curve = curves[at.curve];
    const last = curve.points.length - 1;
    const moves = {
      ArrowRight: () => { at.point = Math.min(last, at.point + 1); },
      ArrowLeft: () => { at.point = Math.max(0, at.point - 1); },
      Home: () => { at.point = 0; },
      End: () => { at.point = last; },
      ArrowDown: () => { at.curve = (at.curve + 1) % curves.length; },
      ArrowUp: () => { at.curve = (at.curve + curves.length - 1) % curves.length; },
    };
    if (event.key === "Escape") return hide();
    if (!moves[event.key]) return undefined;
    event.preventDefault();
    moves[event.key]();
    const now = curves[at.curve];
    at.point = Math.min(Math.max(at.point, 0), now.points.length - 1);
    show(now, now.points[at.point]);
    return announce(textOf(now, now.points[at.point]).join(", "));
  });
}
