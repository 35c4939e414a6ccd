// SPDX-License-Identifier: Apache-2.0
// Builds dist/report.js and dist/report.css, which are compiled into ringmesh, and copies what they contain of libraries,
// as it was before it was minified and with its licences, to debian/missing-sources/report.js. `node build.js --check`
// builds beside them and says whether they are what is committed.
import {build} from "esbuild";
import {readFile, readdir, mkdir, rm, writeFile} from "node:fs/promises";
import {dirname} from "node:path";

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
  metafile: true,
});

// Files of libraries that give at least a byte, and the licences of these libraries.
const originals = "../../../debian/missing-sources/report.js";
const kept = path => `${originals}/${path.replaceAll("node_modules/", "")}`;
const made = new Map();
const libraries = new Map(); // folder: who else holds a copyright, as a comment says
for (const {inputs} of Object.values(bundle.metafile.outputs)) {
  for (const [input, {bytesInOutput}] of Object.entries(inputs)) {
    const folder = input.match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/)?.[0];
    if (!folder || bytesInOutput === 0) continue;
    const text = await readFile(input, "utf8");
    const others = text.split("\n").slice(1).filter(line => /^\/\/.*Copyright/.test(line)).map(line => line.slice(3));
    libraries.set(folder, [...(libraries.get(folder) ?? []), ...others]);
    made.set(kept(input), text);
  }
}
const texts = new Map(); // the text of a licence: whom it names
for (const [folder, others] of [...libraries].sort()) {
  const licence = await readFile(`${folder}/LICENSE`, "utf8");
  const {name, version} = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
  made.set(kept(`${folder}/LICENSE`), licence);
  const [holder, ...text] = licence.trim().split("\n");
  const key = text.join("\n").trim();
  const holders = [holder, ...others].map(each => `${name} ${version}: ${each}`);
  texts.set(key, [...(texts.get(key) ?? []), ...holders]);
}
const notices = [...texts].map(([text, holders]) => `${holders.join("\n")}\n\n${text}`).join("\n\n");

for (const file of bundle.outputFiles) {
  const name = file.path.split("/").pop();
  made.set(`dist/${name}`, name.endsWith(".js") ? `/* ringmesh report; with these libraries:\n\n${notices}\n*/\n${file.text}` : file.text);
}

const check = process.argv.includes("--check");
let changed = false;
const differs = (name, how) => {
  changed = true;
  if (check) console.error(`${name} ${how}; run npm run build`);
};
for (const [name, text] of made) {
  const before = await readFile(name, "utf8").catch(() => "");
  if (before === text) continue;
  differs(name, "is not what its sources give");
  if (check) continue;
  await mkdir(dirname(name), {recursive: true});
  await writeFile(name, text);
}
for (const entry of await readdir(originals, {recursive: true, withFileTypes: true}).catch(() => [])) {
  const name = `${entry.parentPath ?? entry.path}/${entry.name}`;
  if (!entry.isFile() || made.has(name)) continue;
  differs(name, "is in no bundle");
  if (!check) await rm(name);
}
if (changed && check) process.exit(1);
