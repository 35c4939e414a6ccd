// SPDX-License-Identifier: Apache-2.0
// Builds dist/report.js and dist/report.css, which are compiled into ringmesh. `node build.js --check` builds beside them
// and says whether they are what is committed.
import {build} from "esbuild";
import {readFile, mkdir, writeFile} from "node:fs/promises";

const bundle = await build({
  entryPoints: ["src/main.js", "src/report.css"],
  bundle: true,
  minify: true,
  write: false,
  outdir: "dist",
  entryNames: "report",
  format: "iife",
  target: ["chrome100", "firefox100", "safari15"],
  charset: "ascii",
  legalComments: "none",
  banner: {js: "/* ringmesh report; with Observable Plot and D3, ISC license, Mike Bostock and others */"},
});
let changed = false;
await mkdir("dist", {recursive: true});
for (const file of bundle.outputFiles) {
  const name = `dist/${file.path.split("/").pop()}`;
  const before = await readFile(name, "utf8").catch(() => "");
  if (before === file.text) continue;
  changed = true;
  if (process.argv.includes("--check")) console.error(`${name} is not what its sources give; run npm run build`);
  else await writeFile(name, file.text);
}
if (changed && process.argv.includes("--check")) process.exit(1);
