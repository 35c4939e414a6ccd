// SPDX-License-Identifier: Apache-2.0
// A torus whose places were busy, with values by a rule, so that every colour is known.
import {withData} from "./pages.mjs";

export function busyTorus(file) {
  return withData(file, "busy", (data) => {
    const machine = data.machines[0];
    const steps = 20;
    const part = (i, step) => Math.max(0, 0.5 + 0.45 * Math.sin(i * 1.7 + step / 3));
    const names = [...machine.drawing.links.map((link) => [link.place, "link"]), ...machine.drawing.nodes.map((node) => [`${node.id}.blink`, "bus"]),
      ...machine.drawing.nodes.map((node) => [`${node.id}.lc2_0.bypass`, "buffer"])];
    const mean = (i) => Array.from({length: steps}, (_, step) => part(i, step)).reduce((sum, each) => sum + each, 0) / steps;
    const of = (kinds, value) => names.map(([, kind], i) => (kinds.includes(kind) ? value(i) : null));
    const columns = {
      name: names.map(([name]) => name), kind: names.map(([, kind]) => kind),
      busy_percent: of(["link", "bus"], (i) => 100 * mean(i)), busy_ns: of(["link", "bus"], (i) => 20000 * mean(i)),
      bytes: of(["link", "bus"], (i) => Math.round(8000 * mean(i))), packets: names.map((_, i) => Math.round(100 * mean(i))),
      queue_mean: of(["buffer"], (i) => 4 * mean(i)), queue_highest: of(["buffer"], (i) => Math.ceil(6 * mean(i))),
    };
    const units = {busy_percent: "%", busy_ns: "ns", bytes: "bytes"};
    data.tables = data.tables.filter((table) => table.id !== machine.places);
    data.tables.push({id: "use", title: "Use by place", columns: Object.keys(columns).map((name) => ({name, title: name.replace(/_(percent|ns)$/, "").replaceAll("_", " "), unit: units[name] ?? ""})), values: Object.values(columns), notes: []});
    machine.places = "use";
    machine.what = "seed 1";
    machine.series = {every_ns: 1000, from_ns: 0, places: names.map(([name, kind], i) => (kind === "buffer"
      ? {name, queue: Array.from({length: steps}, (_, step) => 4 * part(i, step))}
      : {name, busy: Array.from({length: steps}, (_, step) => part(i, step)), bytes: Array.from({length: steps}, (_, step) => Math.round(400 * part(i, step)))}))};
  });
}
