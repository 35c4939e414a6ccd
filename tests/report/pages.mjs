// SPDX-License-Identifier: Apache-2.0
// Reports that the program under test writes, and pages with the data of one's own.
import {execFileSync} from "node:child_process";
import {existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";

export const folder = process.env.REPORT_FOLDER;
const program = process.env.RINGMESH;
if (!folder || !program) throw new Error("REPORT_FOLDER and RINGMESH are not set; run tests/report/run");
mkdirSync(folder, {recursive: true});

const COMMANDS = {
  sweep: ["sweep", "wulfkit-torus-2d", "--workload", "ping-pong:sizes=16..512 x2", "--axis", "topology.dimensions=4x4,16", "--variant", "fast=half-switching"],
  load: ["sweep", "mesh-8x8", "--workload", "traffic:duration=1us", "--axis", "options.load=0.05,0.1,0.2,0.3,0.4,0.45", "--variant", "few=mesh.virtual_channels=2,mesh.pipeline=2cycles", "--repeat", "3"],
  saturate: ["saturate", "mesh-8x8", "--set", "mesh.columns=3", "--set", "mesh.rows=3", "--workload", "traffic:duration=1us"],
  explain: ["explain", "wulfkit-ring", "--from", "0", "--to", "2"],
  torus: ["run", "wulfkit-torus-2d", "--workload", "traffic:load=0.5,duration=20us", "--set", "topology.dimensions=4x4"],
  stores: ["run", "wulfkit-torus-2d", "--workload", "store-traffic", "--set", "topology.dimensions=4x4", "--every-block"],
  chip: ["run", "scc", "--workload", "ping-pong:sizes=32"],
  cube: ["run", "ncube-64", "--workload", "traffic:load=0.2"],
  whatif: ["whatif", "mesh-8x8", "--workload", "traffic:duration=1us", "--axis", "options.load=0.1,0.3,0.38", "--overlay", "wrap-links", "--set", "mesh.link=3cycles", "--by", "latency_mean_ns", "--repeat", "3"],
  words: ["whatif", "mesh-8x8", "--workload", "traffic:duration=1us", "--axis", "options.pattern=uniform,transpose", "--variant", "few=mesh.virtual_channels=2,mesh.pipeline=2cycles", "--variant", "short=mesh.buffer_flits=2", "--by", "latency_mean_ns", "--repeat", "3"],
  map: ["sweep", "mesh-8x8", "--workload", "traffic:duration=1us", "--axis", "options.load=0.05,0.2,0.5", "--axis", "mesh.buffer_flits=2,4,8"],
  validate: ["validate", "deck", "--part", "raw"],
};

/** The file of a report, written once. */
export function report(name) {
  const file = join(folder, `${name}.html`);
  if (!existsSync(file)) execFileSync(program, [...COMMANDS[name], "--report", file], {stdio: ["ignore", "ignore", "pipe"]});
  return file;
}

export const reports = Object.keys(COMMANDS);

const DATA = /(<script type="application\/json" id="data">)([^]*?)(<\/script>)/;

export function dataOf(file) {
  return JSON.parse(readFileSync(file, "utf8").match(DATA)[2]);
}

/** A copy of a report with other data. */
export function withData(file, name, change) {
  const data = dataOf(file);
  change(data);
  const copy = join(folder, `${name}.html`);
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  writeFileSync(copy, readFileSync(file, "utf8").replace(DATA, (_, begin, old, end) => begin + text + end));
  return copy;
}

export function column(table, name) {
  return table.values[table.columns.findIndex((each) => each.name === name)];
}
