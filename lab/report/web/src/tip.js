// SPDX-License-Identifier: Apache-2.0
// What a point says: under the pointer, and to the arrow keys.
import {h, announce} from "./dom.js";

const NEAR = 30;  // pixels

/** @param drawing of drawPanel() @param textOf (curve, point): lines */
export function tipOver(holder, {svg, curves, placeOf}, textOf) {
  if (!curves.length) return;
  const tip = h("div", {class: "tip", hidden: true});
  const ring = h("div", {class: "ring", hidden: true});
  holder.append(ring, tip);
  let at = {curve: 0, point: -1};
  let places = null;  // of all points, once the pointer has come

  const scaleOf = () => svg.getBoundingClientRect().width / Number(svg.getAttribute("width")) || 1;

  function show(curve, point) {
    const [left, top] = placeOf(curve, point).map((each) => each * scaleOf());
    tip.replaceChildren(...textOf(curve, point).map((line) => h("div", {}, line)));
    tip.hidden = ring.hidden = false;
    ring.style.left = `${left}px`;
    ring.style.top = `${top}px`;
    const right = left > holder.clientWidth / 2;
    tip.style.left = right ? "" : `${left + 12}px`;
    tip.style.right = right ? `${holder.clientWidth - left + 12}px` : "";
    tip.style.top = `${Math.max(0, top - 20)}px`;
  }

  function hide() {
    tip.hidden = ring.hidden = true;
  }

  holder.addEventListener("pointermove", (event) => {
    places ??= curves.flatMap((curve) => curve.points.map((point) => [...placeOf(curve, point), curve, point]));
    const box = svg.getBoundingClientRect();
    const px = (event.clientX - box.left) / scaleOf();
    const py = (event.clientY - box.top) / scaleOf();
    let best = null;
    let nearest = NEAR * NEAR;
    for (const place of places) {
      const distance = (place[0] - px) ** 2 + (place[1] - py) ** 2;
      if (distance < nearest) {
        nearest = distance;
        best = place;
      }
    }
    if (best) show(best[2], best[3]);
    else hide();
  });

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
