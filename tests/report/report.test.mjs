// SPDX-License-Identifier: Apache-2.0
// The report in a browser: what it draws is what its data says, and everyone can read it.
import {after, test} from "node:test";
import assert from "node:assert/strict";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {accessibilityFaults} from "./accessible.mjs";
import {closeBrowser, drawAll, open, pause} from "./browser.mjs";
import {column, dataOf, folder, report, reports, withData} from "./pages.mjs";
import {busyTorus} from "./busy.mjs";

const ALL = [...reports.map((name) => [name, () => report(name)]), ["busy", () => busyTorus(report("torus"))]];

after(closeBrowser);

for (const [name, file] of ALL) {
  test(`${name}: no request, no message`, async () => {
    const {page, requests, messages} = await open(file());
    assert.deepEqual(requests, []);
    assert.deepEqual(messages, []);
    await page.close();
  });

  for (const scheme of ["light", "dark"]) {
    test(`${name}: accessible in ${scheme} colours`, async () => {
      const {page} = await open(file(), {scheme});
      await page.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
      await pause(100);
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.close();
    });
  }

  test(`${name}: as wide as the screen, 400 pixels and 1280`, async () => {
    for (const width of [400, 1280]) {
      const {page} = await open(file(), {width});
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await page.close();
    }
  });
}

test("a request, a message and an error of a page are seen", async () => {
  const file = join(folder, "loud.html");
  writeFileSync(file, `<html data-ready="yes"><img src="none.png"><script>console.log("said"); fetch("http://127.0.0.1:9/").catch(() => {}); setTimeout(() => { throw new Error("thrown"); });</script></html>`);
  const {page, requests, messages} = await open(file);
  assert.deepEqual(requests.sort(), [`file://${folder}/none.png`, "http://127.0.0.1:9/"]);
  for (const each of ["log: said", "error: Error: thrown", "ERR_FILE_NOT_FOUND"]) assert.ok(messages.some((message) => message.includes(each)), `${each}: ${messages}`);
  await page.close();
});

test("what keeps people from reading a page is found", async () => {
  const {page} = await open(report("explain"));
  await page.evaluate(() => {
    document.documentElement.removeAttribute("lang");
    document.querySelector("main, body").insertAdjacentHTML("beforeend", `<p id="one" style="color: #999">faint</p><p id="one">twice</p><button></button><label for="none">of nothing</label>
      <a href="#one"><button>inner</button></a><svg role="img" width="9" height="9"></svg><svg width="60" height="20"><rect width="60" height="20" fill="rgb(231,108,62)"/><text x="5" y="15" font-size="11" fill="#fff">cell</text></svg><div style="overflow: auto; width: 20px; height: 20px"><p style="width: 99px">wide</p></div>`);
  });
  const found = (await accessibilityFaults(page)).map((each) => each.split(":")[0]);
  assert.deepEqual(found.sort(), ["a control within another", "button without a name", "contrast 2.85 in place of 4.5", "contrast 3.18 in place of 4.5", "for of nothing", "id twice",
    "image without a name", "scrolls, but not by the keyboard", "the page does not say its language"]);
  await page.close();
});

/** The number in a cell, as charts take it. */
function numberOf(value) {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^[+-]?[\d,]*\.?\d+( %)?$/.test(value)) return null;
  return Number(value.replaceAll(",", "").replace(/ %$/, ""));
}

/** The panel of each row. */
function drawnPanels(chart, table) {
  return table.values[0].map((_, row) => chart.facets.map((each) => String(column(table, each)[row] ?? "-")).join(", "));
}

for (const name of ["sweep", "load", "saturate", "whatif", "words", "validate"]) {
  test(`${name}: each point of each chart stands where its table says`, async () => {
    const file = report(name);
    const data = dataOf(file);
    const {page} = await open(file);
    let points = 0;
    for (const chart of data.charts) {
      const table = data.tables.find((each) => each.id === chart.table);
      const choices = chart.y.length > 1 ? chart.y.length : 1;
      for (let shown = 0; shown < choices; ++shown) {
        if (choices > 1) await page.locator(`#${chart.id} select`).selectOption(String(shown));
        const drawn = await page.evaluate((id) => [...document.querySelectorAll(`#${id} .plot`)].flatMap((holder) => {
          const x = holder.drawing.x;
          const y = holder.drawing.y;
          return [...holder.querySelectorAll('[data-mark="points"]')].flatMap((group) => [...group.children].map((mark) => {
            if (mark.tagName === "rect") {
              const [top, height] = ["y", "height"].map((each) => Number(mark.getAttribute(each)));
              return [null, y.invert(Math.abs(top - y(0)) < 1e-6 ? top + height : top), group.dataset.curve, holder.panel.name];
            }
            const place = mark.hasAttribute("cx") ? [mark.getAttribute("cx"), mark.getAttribute("cy")] : mark.getAttribute("transform").match(/[-\d.]+/g);
            return [x.invert ? x.invert(Number(place[0])) : null, y.invert(Number(place[1])), group.dataset.curve, holder.panel.name];
          }));
        }), chart.id);
        const names = (columns, row) => columns.map((each) => String(column(table, each)[row] ?? "-")).join(", ");
        const asked = column(table, chart.y[shown].column).map((value, row) => [numberOf(column(table, chart.x)[row]), numberOf(value), names(chart.series, row), names(chart.facets, row)])
          .filter(([, value]) => value !== null);
        assert.equal(drawn.length, asked.length, `${chart.id}, ${chart.y[shown].column}`);
        const inOrder = (all) => [...all].sort((a, b) => a[3].localeCompare(b[3]) || a[2].localeCompare(b[2]) || (a[0] ?? 0) - (b[0] ?? 0) || a[1] - b[1]);
        const [found, wanted] = [inOrder(drawn), inOrder(asked)];
        const near = (one, other) => one === other || (one !== null && Math.abs(one - other) <= 1e-6 * Math.max(Math.abs(one), Math.abs(other), 1e-3));
        for (const [i, [x, y, series, facet]] of wanted.entries()) {
          assert.ok(near(found[i][0], x) && near(found[i][1], y) && found[i][2] === series && found[i][3] === facet, `${chart.id}: ${found[i]} is not ${wanted[i]}`);
        }
        points += drawn.length;
      }
      const panels = new Set(drawnPanels(chart, table)).size;
      const published = chart.published.filter((mark) => mark.x !== null && mark.y !== null).reduce((sum, mark) => sum + (mark.facet ? 1 : panels), 0);
      assert.equal(await page.locator(`#${chart.id} [data-mark="published"] > *`).count(), published, chart.id);
    }
    assert.ok(points > 0);
    await page.close();
  });
}

test("map: each cell stands in its column and row with its number, and those that are doubted are grey and crossed out", async () => {
  const file = report("map");
  const data = dataOf(file);
  const chart = data.charts.find((each) => each.form === "heat-map");
  const table = data.tables.find((each) => each.id === chart.table);
  const {page} = await open(file);
  const drawn = await page.evaluate((id) => {
    const holder = document.querySelector(`#${id} .plot`);
    const {x, y, curves} = holder.drawing;
    const nameAt = (scale, at) => scale.domain().find((name) => Math.abs(scale(name) - at) < 1e-6);
    return {crossed: holder.querySelectorAll('[data-mark="doubted"] path').length, points: curves.flatMap((curve) => curve.points).length,
      ends: [...document.querySelectorAll(`#${id} .legend rect`)].map((each) => `rgb(${each.getAttribute("fill").match(/\w\w/g).map((part) => parseInt(part, 16)).join(", ")})`),
      cells: [...holder.querySelectorAll('[data-mark="cells"] rect')].map((cell) => [nameAt(x, Number(cell.getAttribute("x"))), Number(nameAt(y, Number(cell.getAttribute("y")))), Number(cell.dataset.value), cell.getAttribute("fill")])};
  }, chart.id);
  const asked = column(table, chart.y[0].column).map((value, row) => [column(table, chart.x)[row], column(table, chart.series[0])[row], value]);
  const key = ([a, b, c]) => `${a} ${b} ${c}`;
  assert.deepEqual(drawn.cells.map(key).sort(), asked.map(key).sort());
  assert.equal(drawn.crossed, column(table, "doubt").filter(Boolean).length);
  assert.ok(drawn.crossed > 0);
  const doubted = new Set(asked.filter((_, row) => column(table, "doubt")[row]).map(key));
  const grey = drawn.cells.filter((cell) => doubted.has(key(cell))).map(([, , , fill]) => fill);
  assert.equal(new Set(grey).size, 1);
  const sound = drawn.cells.filter((cell) => !doubted.has(key(cell)));
  assert.ok(sound.length > 1 && sound.every(([, , , fill]) => fill !== grey[0]));
  // The colours reach from the least to the most that no one doubts
  const [least, most] = [Math.min, Math.max].map((end) => sound.find(([, , value]) => value === end(...sound.map((each) => each[2])))[3]);
  assert.deepEqual([least, most], [drawn.ends[0], drawn.ends.at(-1)]);
  await page.close();
});

for (const [name, at, says] of [
  ["load", 0, "mean of 3 runs (Student)"], ["words", 0, "mean of 3 runs (Student)"], ["words", 1, "change from the base, 3 runs each (pairs of one seed)"],
]) {
  test(`${name}, chart ${at + 1}: intervals reach as far as the table says, at their points and bars, and the page says what they are`, async () => {
    const file = report(name);
    const data = dataOf(file);
    const chart = data.charts.filter((each) => each.y[0].half)[at];
    const table = data.tables.find((each) => each.id === chart.table);
    const {page} = await open(file);
    const drawn = await page.evaluate((id) => {
      const holder = document.querySelector(`#${id} .plot`);
      const y = holder.drawing.y;
      const middle = (element) => {
        const box = element.getBoundingClientRect();
        return box.left + box.width / 2;
      };
      return [...holder.querySelectorAll('[data-mark="intervals"]')].flatMap((group) => {
        // Hollow points are a group of their own
        const points = [...holder.querySelectorAll('[data-mark="points"]')].filter((each) => each.dataset.curve === group.dataset.curve).flatMap((each) => [...each.children]);
        return [...group.querySelectorAll(":scope > line")].map((mark) => [...["y1", "y2"].map((end) => y.invert(Number(mark.getAttribute(end)))).sort((a, b) => a - b), Math.min(...points.map((point) => Math.abs(middle(mark) - middle(point))))]);
      });
    }, chart.id);
    assert.ok(drawn.every(([, , aside]) => aside < 1), drawn.join("; "));
    const half = column(table, chart.y[0].half);
    const asked = column(table, chart.y[0].column).map((value, row) => [value, half[row]]).filter(([value, reach]) => value !== null && reach !== null).map(([value, reach]) => [value - reach, value + reach]);
    const [least, most] = await page.evaluate((id) => document.querySelector(`#${id} .plot`).drawing.y.domain(), chart.id);
    assert.ok(asked.every(([, high]) => high <= most));
    if (chart.y_scale === "linear") assert.ok(asked.every(([low]) => low >= least));
    const key = ([low, high]) => [low, high].map((each) => Math.max(each, least).toPrecision(5)).join();  // a logarithmic axis cuts them
    assert.deepEqual(drawn.map(key).sort(), asked.map(key).sort());
    assert.equal(await page.locator(`#${chart.id} .about-marks p`).first().textContent(), `Error bars: 95 % confidence interval of the ${says}.`);
    await page.close();
  });
}

test("what a study's own intervals are is not claimed, and nothing is said where there are none", async () => {
  const own = withData(report("load"), "own", (data) => {
    const chart = data.charts.find((each) => each.y[0].half);
    const table = data.tables.find((each) => each.id === chart.table);
    table.columns.find((each) => each.name === chart.y[0].half).name = "spread";
    for (const quantity of chart.y) quantity.half = "spread";
    data.charts = [chart];
  });
  const {page} = await open(own);
  assert.equal(await page.locator(".about-marks p").first().textContent(), "Error bars: the interval of which half is in the table's column spread.");
  await page.close();
  const none = await open(report("sweep"));
  assert.ok(!(await none.page.locator(".about-marks").allTextContents()).join().includes("Error bars"));
  await none.page.close();
});

test("a variant has one colour on the whole page, and two of a chart never the same", async () => {
  const colours = (page) => page.evaluate(() => [...document.querySelectorAll(".chart")].map((chart) => [...chart.querySelectorAll("button.key")].map((key) => [key.dataset.name, key.querySelector("path:last-of-type").getAttribute("fill"), key.querySelector("path:last-of-type").getAttribute("d")])));
  for (const name of ["words", "whatif"]) {
    const {page} = await open(report(name));
    const [values, changes] = await colours(page);
    assert.ok(changes.length > 0 && changes.length < values.length);  // the base does not change
    for (const key of changes) assert.deepEqual(key, values.find((each) => each[0] === key[0]));
    await page.close();
  }
  const many = withData(report("words"), "many-variants", (data) => {
    const of = (id, names) => ({id, title: id, columns: [{name: "x", title: "x", unit: ""}, {name: "variant", title: "variant", unit: ""}, {name: "y", title: "y", unit: "ns"}],
      values: [names.map(() => 1), names, names.map((_, i) => i + 1)], notes: []});
    const lists = [["a", "b", "c", "d", "e", "f"], ["b", "g", "h", "i", "j"], ["a", "i", "c", "j"]];
    data.tables = lists.map((names, i) => of(`t${i}`, names));
    data.charts = lists.map((_, i) => ({...data.charts[0], id: `c${i}`, title: `c${i}`, table: `t${i}`, x: "x", y: [{column: "y", half: "", low: "", high: ""}], series: ["variant"], form: "points"}));
    data.machines = [];
  });
  const {page} = await open(many);
  const shown = await colours(page);
  for (const keys of shown) assert.equal(new Set(keys.map(([, fill]) => fill)).size, keys.length);
  const of = (chart, name) => shown[chart].find((each) => each[0] === name).slice(1);
  assert.deepEqual(of(1, "b"), of(0, "b"));
  assert.deepEqual(of(2, "a"), of(0, "a"));
  await page.close();
});

test("bars of negative values hang from zero and stay within their chart", async () => {
  const {page} = await open(report("words"));
  const data = dataOf(report("words"));
  const chart = data.charts.find((each) => each.y[0].column === "change_percent");
  const bars = await page.evaluate((id) => {
    const holder = document.querySelector(`#${id} .plot`);
    const box = holder.drawing.svg.getBoundingClientRect();
    const zero = box.top + holder.drawing.y(0);
    return [...holder.querySelectorAll('[data-mark="points"] rect')].map((bar) => {
      const {top, bottom, left, right} = bar.getBoundingClientRect();
      return {top: top - zero, bottom: bottom - zero, within: top >= box.top && bottom <= box.bottom && left >= box.left && right <= box.right};
    });
  }, chart.id);
  const values = column(data.tables.find((each) => each.id === chart.table), "change_percent").filter((each) => each !== null);
  assert.equal(bars.length, values.length);
  assert.ok(values.some((value) => value < 0));
  assert.ok(bars.every((bar) => bar.within));
  assert.equal(bars.filter((bar) => bar.bottom > 1 && Math.abs(bar.top) < 1).length, values.filter((value) => value < -1).length);
  await page.close();
});

test("crossings and saturation are marked where the data says", async () => {
  const file = report("whatif");
  const chart = dataOf(file).charts.find((each) => each.crossings.length);
  const {page} = await open(file);
  const drawn = await page.evaluate((id) => {
    const holder = document.querySelector(`#${id} .plot`);
    const x = holder.drawing.x;
    return [...holder.querySelectorAll('[data-mark="crossing"] line')].map((mark) => x.invert(Number(mark.getAttribute("x1"))));
  }, chart.id);
  assert.deepEqual(drawn.map((each) => each.toPrecision(5)), chart.crossings.map((each) => each.x.toPrecision(5)));
  const found = await open(report("saturate"));
  const band = dataOf(report("saturate")).charts[0].bands[0];
  const edges = await found.page.evaluate(() => {
    const holder = document.querySelector(".plot");
    const x = holder.drawing.x;
    return [...holder.querySelectorAll('[data-mark="band"] line')].map((mark) => x.invert(Number(mark.getAttribute("x1"))));
  });
  assert.deepEqual(edges.map((each) => each.toPrecision(5)), [band.low, band.high].map((each) => each.toPrecision(5)));
  await page.close();
  await found.page.close();
});

test("a formula has no marks, what was measured no line, and errors stand beneath", async () => {
  const file = withData(report("words"), "beneath", (data) => {
    const of = [["measured", 9, 8], ["formula", 8, 7], ["simulated", 7, 9]].flatMap(([name, ...ys]) => ys.map((y, x) => [x + 1, name, y, name === "measured" ? null : y - 8]));
    data.tables = [{id: "t", title: "t", columns: ["x", "curve", "y", "error"].map((name) => ({name, title: name, unit: ""})), values: [0, 1, 2, 3].map((i) => of.map((row) => row[i])), notes: []}];
    data.charts = [{...data.charts[0], id: "c", title: "c", table: "t", x: "x", y: [{column: "y", half: "", low: "", high: ""}], series: ["curve"], form: "lines", bands: [], published: [], crossings: [],
      points: ["measured"], lines: ["formula"], beneath: {column: "error", half: "", low: "", high: ""}, beneath_unit: "%"}];
    data.machines = [];
  });
  const {page} = await open(file);
  const drawn = await page.evaluate(() => [...document.querySelectorAll("#c .plot")].map((plot) => ({
    lines: plot.querySelectorAll('[data-mark="curve"]').length, marked: [...plot.querySelectorAll('[data-mark="points"]')].map((each) => each.dataset.curve)})));
  assert.deepEqual(drawn, [{lines: 2, marked: ["measured", "simulated"]}, {lines: 2, marked: ["simulated"]}]);
  await page.close();
});

test("curves are named at their ends where there is room", async () => {
  const named = async (name, ends) => {
    const file = withData(report("words"), name, (data) => {
      const of = Object.entries(ends).flatMap(([curve, end]) => [[1, curve, 0], [2, curve, end]]);
      data.tables = [{id: "t", title: "t", columns: ["x", "curve", "y"].map((column) => ({name: column, title: column, unit: ""})), values: [0, 1, 2].map((i) => of.map((row) => row[i])), notes: []}];
      data.charts = [{...data.charts[0], id: "c", title: "c", table: "t", x: "x", y: [{column: "y", half: "", low: "", high: ""}], series: ["curve"], facets: [], form: "lines", bands: [], published: [], crossings: []}];
      data.machines = [];
    });
    const {page} = await open(file);
    const drawn = await page.evaluate(() => {
      const {right} = document.querySelector("#c .plot svg").getBoundingClientRect();
      return [...document.querySelectorAll('#c [data-mark="name"] text')].map((text) => [text.textContent, text.getBoundingClientRect().right <= right, text.getBoundingClientRect().top]);
    });
    const buttons = await page.locator("#c .legend button").count();
    await page.close();
    assert.equal(buttons, Object.keys(ends).length);  // they hide curves
    return drawn;
  };
  const apart = await named("apart", {slow: 1, "much slower": 9});
  assert.deepEqual(apart.map(([name, inside]) => [name, inside]), [["slow", true], ["much slower", true]]);
  assert.ok(apart[0][2] > apart[1][2]);
  assert.deepEqual(await named("close", {slow: 5, slower: 5.01}), []);
  assert.deepEqual(await named("numbers", {4: 1, 8: 9}), []);
});

test("a hidden curve takes its own crossings away, and none of a curve whose name contains its own", async () => {
  const file = withData(report("words"), "names-in-names", (data) => {
    const of = [["a", 9, 8], ["ab", 1, 3], ["b", 3, 1]].flatMap(([name, ...ys]) => ys.map((y, x) => [x + 1, name, y]));
    data.tables = [{id: "t", title: "t", columns: ["x", "curve", "y"].map((name) => ({name, title: name, unit: ""})), values: [0, 1, 2].map((i) => of.map((row) => row[i])), notes: []}];
    data.charts = [{...data.charts[0], id: "c", title: "c", table: "t", x: "x", y: [{column: "y", half: "", low: "", high: ""}], series: ["curve"], form: "lines", bands: [], published: [],
      crossings: [{x: 1.5, label: "ab, b: 1.5", curves: ["ab", "b"], y_column: "y", facet: "", within_noise: false}]}];
    data.machines = [];
  });
  const {page} = await open(file);
  for (const [name, left] of [["a", 1], ["b", 0]]) {
    await page.locator(`button.key[data-name="${name}"]`).click();
    assert.equal(await page.locator('[data-mark="crossing"] line').count(), left);
  }
  await page.close();
});

test("the heat map has the value of each place, now and over time", async () => {
  const file = busyTorus(report("torus"));
  const data = dataOf(file);
  const table = data.tables.find((each) => each.id === data.machines[0].places);
  const {page} = await open(file);
  const values = () => page.evaluate(() => Object.fromEntries([...document.querySelectorAll("[data-place][data-value]")].map((path) => [path.dataset.place, Number(path.dataset.value)])));
  const links = data.machines[0].drawing.links.map((link) => link.place);
  const busy = Object.fromEntries(column(table, "name").map((place, row) => [place, column(table, "busy_percent")[row]]).filter(([place]) => links.includes(place)));
  assert.deepEqual(await values(), busy);
  await page.locator('.drawing + * , input[type="range"]').first().waitFor();
  await page.locator('input[type="range"]').fill("3");
  const sampled = Object.fromEntries(data.machines[0].series.places.filter((each) => links.includes(each.name)).map((each) => [each.name, 100 * each.busy[2]]));
  const now = await values();
  for (const place of links) assert.ok(Math.abs(now[place] - sampled[place]) < 1e-9, place);
  await page.close();
});

/** The colour of a part from 0 to 1 of the page's scale. */
function heatOf(page, part) {
  return page.evaluate((at) => {
    const stops = getComputedStyle(document.querySelector(".ramp")).backgroundImage.match(/rgb\([^)]*\)/g).map((each) => each.match(/\d+/g).map(Number));
    const i = Math.min(stops.length - 2, Math.floor(at * (stops.length - 1)));
    return stops[i].map((each, k) => each + (stops[i + 1][k] - each) * (at * (stops.length - 1) - i));
  }, part);
}

test("the heat map's colours reach from nothing to a place's capacity, or are stretched to the largest value", async () => {
  const low = withData(busyTorus(report("torus")), "low", (data) => {
    const table = data.tables.find((each) => each.id === data.machines[0].places);
    column(table, "busy_percent").forEach((value, row, all) => { if (value !== null) all[row] = value / 20; });
  });
  const data = dataOf(low);
  const table = data.tables.find((each) => each.id === data.machines[0].places);
  const links = new Map(data.machines[0].drawing.links.map((link) => [link.place, column(table, "busy_percent")[column(table, "name").indexOf(link.place)]]));
  const most = Math.max(...links.values());
  assert.ok(most < 5);
  const {page} = await open(low);
  const check = async (end) => {
    const strokes = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("path[data-place]")].map((path) => [path.dataset.place, path.getAttribute("stroke").match(/\d+/g).map(Number)])));
    for (const [place, value] of links) {
      const asked = await heatOf(page, value / end);
      strokes[place].forEach((each, k) => assert.ok(Math.abs(each - asked[k]) <= 1, `${place}: ${strokes[place]} is not ${asked}`));
    }
  };
  const legend = () => page.locator(".scale").first().textContent();
  const stretch = page.locator("button", {hasText: "stretch"});
  await check(100);
  assert.ok((await legend()).includes("100 %") && (await legend()).includes(`${Number(most.toPrecision(4))} %`), await legend());
  await stretch.click();
  await check(most);
  assert.ok(!(await legend()).includes("100 %"), await legend());
  await stretch.click();
  await check(100);
  await page.locator(".machine-view select").first().selectOption("bytes");
  assert.ok(await stretch.isDisabled());
  const bytes = Math.max(...column(table, "name").map((place, row) => (links.has(place) ? column(table, "bytes")[row] : 0)));
  assert.ok((await legend()).replaceAll(",", "").includes(`${bytes} bytes`), await legend());
  await page.close();
});

for (const [what, fileOf] of [
  ["places", () => report("stores")],
  ["places of a machine that is not drawn", () => withData(report("stores"), "undrawn", ({machines}) => { Object.assign(machines[0].drawing, {nodes: [], links: [], blocks: []}); })],
]) {
  test(`${what}: links and buses first, the most used of them on top; a dozen rows, none taller than three lines`, async () => {
    const file = fileOf();
    const data = dataOf(file);
    const table = data.tables.find((each) => each.id === data.machines[0].places);
    const {page} = await open(file);
    const view = page.locator(".machine-view .table-view");
    const kinds = column(table, "kind");
    const busy = column(table, "busy_percent");
    const placeOf = new Map(column(table, "name").map((place, row) => [place, row]));
    assert.ok(kinds.includes("processor"));
    const order = [];
    for (;;) {
      const rows = await view.locator("tbody tr").evaluateAll((all) => all.map((row) => [row.firstChild.textContent, row.getBoundingClientRect().height]));
      assert.ok(rows.length > 0 && rows.length <= 12);
      for (const [place, height] of rows) {
        order.push(placeOf.get(place));
        assert.ok(height < 70, `${place}: ${height}`);
      }
      const forth = view.locator("[aria-label='Rows behind']");
      if (await forth.isDisabled()) break;
      await forth.click();
    }
    assert.equal(order.length, kinds.length);
    const shared = kinds.filter((kind) => /(link|bus)$/.test(kind)).length;
    assert.ok(shared > 12 && order.slice(0, shared).every((row) => /(link|bus)$/.test(kinds[row])));
    for (let i = 1; i < shared; ++i) assert.ok(busy[order[i - 1]] >= busy[order[i]]);
    await page.close();
  });
}

test("the waterfall has a bar for each part, as long as it took", async () => {
  const file = report("explain");
  const data = dataOf(file);
  const table = data.tables.find((each) => each.id === data.waterfalls[0].table);
  const from = column(table, "from_ns");
  const to = column(table, "to_ns");
  const all = Math.max(...to) - Math.min(...from);
  const {page} = await open(file);
  const bars = await page.evaluate(() => [...document.querySelectorAll(".waterfall .bar")].map((bar) => [Number(bar.dataset.row), parseFloat(bar.style.width)]));
  assert.equal(bars.length, from.length);
  for (const [row, width] of bars) assert.ok(Math.abs(width - (100 * (to[row] - from[row])) / all) < 1e-3);
  await page.close();
});

const isRound = (value) => value === 0 || Number(value.toPrecision(2)) === value || (Number.isInteger(value) && value % 64 === 0);

test("ticks are round numbers at their places, no two alike, and no title has its unit twice", async () => {
  const {page} = await open(report("explain"));
  const table = dataOf(report("explain")).tables.find((each) => each.id === dataOf(report("explain")).waterfalls[0].table);
  const [begin, end] = [Math.min(...column(table, "from_ns")), Math.max(...column(table, "to_ns"))];
  const ticks = await page.evaluate(() => [...document.querySelectorAll(".ticks span")].map((tick) => [Number(tick.textContent.replaceAll(",", "")), parseFloat(tick.style.left)]));
  assert.ok(ticks.length >= 4);
  for (const [value, left] of ticks) assert.ok(isRound(value) && Math.abs(left - (100 * (value - begin)) / (end - begin)) < 0.01, `${value} at ${left} %`);
  await page.close();
  const odd = withData(report("sweep"), "odd-loads", (data) => {
    const of = (id, ys) => ({id, title: id, columns: [{name: "x", title: "load", unit: ""}, {name: "api_ns", title: "api ns", unit: "ns"}], values: [[0.188, 0.3759, 0.5639, 0.7518], ys], notes: []});
    data.tables = [of("t0", [17, 251, 1386, 2772]), of("t1", [12345.001, 12345.002, 12345.003, 12345.004])];
    data.charts = data.tables.map(({id}, i) => ({...data.charts[0], id: `c${i}`, title: id, table: id, x: "x", x_title: "load", x_unit: "", y: [{column: "api_ns", half: "", low: "", high: ""}], y_title: "", y_unit: "ns", series: [], facets: [], crossings: [], bands: [], published: [], x_scale: "linear", y_scale: "linear"}));
    data.machines = [];
  });
  const found = await open(odd);
  const shown = await found.page.evaluate(() => [...document.querySelectorAll(".chart")].map((chart) => ({
    y: chart.querySelector(".y-title").textContent, texts: ["x", "y"].map((axis) => [...chart.querySelectorAll(`[data-mark='${axis}-axis'] text`)].map((each) => each.textContent)),
  })));
  for (const {y, texts} of shown) {
    assert.equal(y, "api (ns)");
    for (const words of texts) assert.ok(words.length >= 3 && new Set(words).size === words.length, words.join());
    for (const word of texts[0]) assert.ok(isRound(Number(word)), word);
  }
  for (const word of shown[0].texts[1]) assert.ok(isRound(Number(word.replaceAll(",", ""))), word);
  await found.page.locator("#c0 summary").first().click();
  assert.equal(await found.page.locator("#c0 thead th").nth(1).textContent(), "api ns");
  await found.page.close();
});

test("over decades each tick has its own unit, and bars over numbers stand side by side", async () => {
  const file = withData(report("sweep"), "decades", (data) => {
    const sizes = Array.from({length: 11}, (_, i) => 1024 * 2 ** i);
    data.tables = [{id: "t", title: "t", columns: ["x", "series", "y"].map((name) => ({name, title: name, unit: ""})), values: [[...sizes, ...sizes], [...sizes.map(() => "a"), ...sizes.map(() => "b")], [...sizes, ...sizes].map((_, i) => i + 1)], notes: []}];
    data.charts = [{...data.charts[0], id: "c", title: "c", table: "t", x: "x", x_scale: "log", y_scale: "linear", y: [{column: "y", half: "", low: "", high: ""}], series: ["series"], facets: [], crossings: [], bands: [], published: [], form: "bars"}];
    data.machines = [];
  });
  const {page} = await open(file);
  const texts = await page.locator("#c [data-mark='x-axis'] text").allTextContents();
  assert.deepEqual([texts[0], texts[3], texts.at(-1)], ["1,024", "8,192", "1.049M"]);
  const bars = await page.evaluate(() => [...document.querySelectorAll("#c [data-mark='points'] rect")].map((bar) => [Number(bar.getAttribute("x")), Number(bar.getAttribute("x")) + Number(bar.getAttribute("width"))]).sort((a, b) => a[0] - b[0]));
  assert.equal(bars.length, 22);
  for (let i = 1; i < bars.length; ++i) assert.ok(bars[i][0] >= bars[i - 1][1], bars.join("; "));
  await page.close();
});

test("the ledger begins with what is worse and the largest errors, filters by verdict, role and words", async () => {
  const file = report("validate");
  const data = dataOf(file);
  const table = data.tables.find((each) => each.id === data.ledgers[0].table);
  const {page} = await open(file);
  const shown = () => page.locator(".ledger-view tbody tr").count();
  const all = column(table, "id").length;
  assert.equal(await shown(), Math.min(50, all));
  const errors = column(table, "error_percent").filter((_, row) => column(table, "verdict")[row] !== null && column(table, "tolerance_percent")[row]).map((each) => Math.abs(each ?? 0));
  const first = await page.locator(".ledger-view tbody tr .error-mark").first().getAttribute("data-error");
  assert.equal(Math.abs(Number(first)), Math.max(...errors));
  await page.locator(".ledger-view [aria-label='Shown by verdict'] button", {hasText: "as frozen"}).click();
  assert.equal(await shown(), column(table, "verdict").filter((each) => each !== "as frozen").length);
  await page.locator(".ledger-view [aria-label='Shown by verdict'] button", {hasText: "as frozen"}).click();
  await page.locator(".ledger-view input[type=search]").fill(column(table, "id")[0]);
  assert.ok(await shown() >= 1 && await shown() < all);
  assert.equal(await page.locator(".ledger-view .error-mark").count() > 0, true);
  await page.close();
});

test("each row of the ledger has its verdict in sight, once, at any width", async () => {
  const {page} = await open(report("validate"));
  for (const width of [400, 1200]) {
    await page.setSize(width, 900);
    const inSight = await page.evaluate(() => [...document.querySelectorAll(".ledger-view tbody tr:first-child .verdict")]
      .filter((mark) => mark.getClientRects().length && mark.getBoundingClientRect().right <= innerWidth).length);
    assert.equal(inSight, 1, `${width} px`);
  }
  await page.close();
});

test("the ledger draws and tells between which values the model's error lies", async () => {
  let row = -1;
  const file = withData(report("validate"), "error-bars", (data) => {
    const table = data.tables.find((each) => each.id === data.ledgers[0].table);
    const all = (name, value) => {
      if (!column(table, name)) { table.columns.push({name, title: name, unit: ""}); table.values.push([]); }
      table.values[table.columns.findIndex((each) => each.name === name)] = column(table, "id").map((_, at) => (at === row ? value : null));
    };
    row = column(table, "tolerance_percent").findIndex((tolerance, at) => tolerance > 0 && column(table, "published")[at] > 0 && column(table, "error_percent")[at] !== null);
    const tolerance = column(table, "tolerance_percent")[row];
    column(table, "error_percent")[row] = tolerance / 2;
    const part = column(table, "published")[row] / 100;
    all("error_low", -tolerance * part);
    all("error_high", 2 * tolerance * part);
    all("says", "agrees within what is known");
  });
  const {page} = await open(file);
  const bars = await page.locator(".ledger-view .error-mark .bar").evaluateAll((found) => found.map((bar) => bar.getAttribute("d").match(/[\d.]+/g).map(Number)));
  assert.equal(bars.length, 1);
  const [left, , right] = bars[0];
  const middle = 100 / 2;
  assert.ok(Math.abs((middle - left) * 2 - (right - middle)) < 1e-6 && right > middle, `${left} ${right}`);
  assert.deepEqual(await page.locator(".ledger-view .says").allTextContents(), ["agrees within what is known"]);
  await page.close();
});

test("ids of the ledger break at dots and underscores alone", async () => {
  const long = withData(report("validate"), "long-ids", (data) => {
    const ids = column(data.tables.find((each) => each.id === data.ledgers[0].table), "id");
    ids.forEach((id, i) => { ids[i] = `${id}_with_halved_switching.and-a-name.that_is_longer_than.any_line_of_its_column`; });
  });
  for (const [file, width] of [[long, 1280], [long, 400], [report("validate"), 1280]]) {
    const {page} = await open(file, {width});
    const lines = await page.evaluate(() => [...document.querySelectorAll(".ledger .id")].map((id) => {
      const found = [];
      let last = null;
      const walker = document.createTreeWalker(id, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        for (let i = 0; i < text.length; ++i) {
          const range = document.createRange();
          range.setStart(text, i);
          range.setEnd(text, i + 1);
          const {top} = range.getBoundingClientRect();
          if (last === null || Math.abs(top - last) > 4) found.push("");
          last = top;
          found[found.length - 1] += text.data[i];
        }
      }
      return found;
    }));
    assert.deepEqual(lines.map((each) => each.join("")).sort(), [...column(dataOf(file).tables.find((each) => each.id === dataOf(file).ledgers[0].table), "id")].sort());
    if (file === long) assert.ok(lines.every((each) => each.length > 1));
    for (const each of lines) for (const line of each.slice(0, -1)) assert.match(line, /[._]$/);
    await page.close();
  }
});

test("machines that look alike are drawn once, with the names of their variants and the parameters of each", async () => {
  const {page} = await open(report("words"));
  const data = dataOf(report("words"));
  assert.equal(data.machines.length, 3);
  assert.equal(await page.locator("#machine svg.machine").count(), 1);
  assert.equal(await page.locator("#machine h3").textContent(), "base, few, short");
  assert.deepEqual(await page.locator("#machine li").allTextContents(), ["base", "few", "short"].map((name, i) => `${name}: ${data.machines[i].title}`));
  const parameters = await page.locator("#machine summary").allTextContents();
  assert.deepEqual(parameters.map((each) => each.split(":")[0]), ["base", "few", "short"].map((name) => `Parameters of ${name}`));
  await page.locator("#machine summary").nth(1).click();
  const few = data.tables.find((each) => each.id === data.machines[1].parameters);
  await page.locator("#machine details").nth(1).locator("tbody tr").first().waitFor();
  const shown = await page.locator("#machine details").nth(1).locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.children[1].textContent));
  assert.deepEqual(shown, column(few, "value"));
  await page.close();
  const other = withData(report("words"), "other-machine", (own) => { own.machines[2].drawing.links.pop(); });
  const found = await open(other);
  assert.equal(await found.page.locator("#machine svg.machine").count(), 2);
  assert.deepEqual(await found.page.locator("#machine h3").allTextContents(), ["base, few", `short: ${data.machines[2].title}`]);
  await found.page.close();
});

test("a click gives the table as CSV, never rounded", async () => {
  const file = report("sweep");
  const data = dataOf(file);
  const chart = data.charts[0];
  const table = data.tables.find((each) => each.id === chart.table);
  const {page} = await open(file);
  await page.locator("#tables summary").first().click();
  const lines = (await page.download(page.locator("#tables .table-view button", {hasText: "CSV"}).first())).trim().split("\n");
  assert.equal(lines[0], table.columns.map((each) => each.name).join(","));
  assert.equal(lines.length, 1 + table.values[0].length);
  assert.equal(lines[1], table.values.map((each) => each[0] ?? "").join(","));
  await page.close();
});

for (const name of ["load", "whatif", "words", "sweep", "saturate", "validate"]) {
  test(`${name}: a chart's file has its title, the titles of its axes with their units, each panel and its legend`, async () => {
    const file = report(name);
    const {page} = await open(file);
    for (const chart of dataOf(file).charts) {
      const shown = await page.evaluate((id) => ({
        yTitles: [...document.querySelectorAll(`#${id} .y-title`)].map((each) => each.textContent),
        keys: [...document.querySelectorAll(`#${id} .legend .key`)].map((each) => each.textContent),
        curves: [...document.querySelectorAll(`#${id} .legend button.key`)].map((each) => [each.textContent, each.querySelector("path:last-of-type").getAttribute("stroke") ?? each.querySelector("path").getAttribute("fill"), each.querySelector("path").getAttribute("stroke-dasharray")]),
        marks: document.querySelectorAll(`#${id} [data-mark] > *`).length,
        named: document.querySelector(`#${id} [data-mark=name]`) !== null,  // curves at their ends, not in the file's legend
      }), chart.id);
      const text = await page.download(page.locator(`#${chart.id} .tools button`, {hasText: "SVG"}));
      for (const word of ["currentColor", "var(", "inherit", "class=", "style="]) assert.ok(!text.includes(word), `${chart.id}: ${word}`);
      const saved = await page.evaluate((content) => {
        const all = new DOMParser().parseFromString(content, "image/svg+xml");
        const texts = (selector) => [...all.querySelectorAll(selector)].map((each) => each.textContent);
        return {
          root: all.documentElement.tagName, title: texts("svg > title")[0], written: texts("svg > text").join(" "), x: texts("[data-title=x]"), y: texts("[data-title=y]"),
          keys: [...all.querySelectorAll("[data-key]")].map((each) => [each.dataset.key, each.querySelector("text").textContent, each.querySelector("path:last-of-type").getAttribute("stroke") ?? each.querySelector("path").getAttribute("fill"), each.querySelector("path").getAttribute("stroke-dasharray")]),
          marks: all.querySelectorAll("[data-mark] > *").length,
        };
      }, text);
      assert.equal(saved.root, "svg");
      assert.equal(saved.title, chart.title);
      assert.ok(saved.written.startsWith(chart.title), saved.written);
      assert.ok(shown.yTitles.length > 0);
      const xTitle = chart.x_unit && chart.x_unit !== chart.x_title ? `${chart.x_title} (${chart.x_unit})` : chart.x_title;
      assert.deepEqual(saved.x, shown.yTitles.map(() => xTitle));
      assert.deepEqual(saved.y, shown.yTitles);
      if (chart.y_unit) assert.ok(saved.y.every((each) => each.endsWith(`(${chart.y_unit})`)), saved.y.join());
      const curves = shown.named ? [] : shown.curves;
      assert.deepEqual(saved.keys.map(([key]) => key), shown.named ? shown.keys.slice(shown.curves.length) : shown.keys);
      assert.deepEqual(saved.keys.slice(0, curves.length).map(([, ...key]) => key), curves);
      assert.equal(saved.marks, shown.marks);
    }
    await page.close();
  });
}

test("10^5 points open in under three seconds, all of them drawn", async () => {
  const many = 100000;
  const file = withData(report("sweep"), "many", (data) => {
    const x = Array.from({length: many}, (_, i) => i);
    const series = x.map((i) => `curve ${i % 4}`);
    const y = x.map((i) => 1000 + 500 * Math.sin(i / 9000) + 37 * ((i * 7919) % 11) + 300 * (i % 4));
    data.tables = [{id: "many", title: "Many", columns: [{name: "x", title: "x", unit: ""}, {name: "series", title: "series", unit: ""}, {name: "y", title: "y", unit: "ns"}], values: [x, series, y], notes: []}];
    data.charts = [{...data.charts[0], id: "many-1", title: "Many points", table: "many", x: "x", y: [{column: "y", half: "", low: "", high: ""}], series: ["series"], facets: [], crossings: [], bands: [], published: [], x_scale: "linear", x_unit: ""}];
    data.machines = [];
  });
  const began = Date.now();
  const {page, messages} = await open(file, {draw: false});
  await page.locator("#many-1 [data-points]").waitFor();
  const took = Date.now() - began;
  assert.equal(Number(await page.locator("#many-1 [data-points]").getAttribute("data-points")), many);
  assert.deepEqual(messages, []);
  console.log(`10^5 points: ${took} ms`);
  assert.ok(took < 3000, `${took} ms`);
  await page.locator("#tables summary").click();
  await page.locator("#tables tbody tr").first().waitFor();
  assert.equal(await page.locator("#tables tbody tr").count(), 50);
  await page.close();
});

test("the keyboard reaches everything, and points of charts", async () => {
  for (const name of ["load", "torus", "explain"]) {
    const {page} = await open(name === "torus" ? busyTorus(report("torus")) : report(name));
    const all = await page.evaluate(() => {
      const elements = [...document.querySelectorAll("a[href], button, select, input, summary, [tabindex='0']")];
      return elements.filter((each) => !each.disabled && each.checkVisibility({visibilityProperty: true})).length;
    });
    await page.evaluate(() => document.body.focus());
    const reached = new Set();
    for (let i = 0; i < all + 20; ++i) {
      await page.press("Tab");
      const id = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === document.body) return null;
        element.dataset.reached ??= String(Math.random());
        return element.dataset.reached;
      });
      if (id) reached.add(id);
    }
    assert.ok(reached.size >= all, `${name}: ${reached.size} of ${all}`);
    await page.close();
  }
  const {page} = await open(report("sweep"));
  await page.locator(".plot").first().focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"]) await page.press(key);
  const data = dataOf(report("sweep"));
  const said = await page.locator("[role=status]").textContent();
  assert.match(said, new RegExp(data.charts[0].x_title));
  assert.equal(await page.locator(".tip", {visible: true}).count(), 1);
  await page.press("Escape");
  assert.equal(await page.locator(".tip", {visible: true}).count(), 0);
  await page.close();
});

test("colours follow the browser, light or dark", async () => {
  const background = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const axis = (page) => page.evaluate(() => document.querySelector(".plot svg > g").getAttribute("fill"));
  const {page} = await open(report("sweep"));
  const light = [await background(page), await axis(page)];
  assert.equal(light[0], "rgb(255, 255, 255)");
  await page.emulate({scheme: "dark"});
  assert.notEqual(await background(page), light[0]);
  // The browser tells of the change with its next frame, then the charts are drawn again
  await page.waitForFunction((before) => document.querySelector(".plot svg > g").getAttribute("fill") !== before, light[1]);
  await page.close();
});

test("print: all charts, light on dark screens too, no controls", async () => {
  const file = report("load");
  const {page} = await open(file, {scheme: "dark"});
  const pdf = await page.pdf();
  assert.ok(pdf.length > 20000);
  await page.emulate({media: "print"});
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("nav, .tools", {visible: true}).count(), 0);
  assert.equal(await page.locator(".plot svg").count(), await page.locator(".plot").count());
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), "rgb(255, 255, 255)");
  await page.close();
});

test("without JavaScript the tables are there, with all rows", async () => {
  for (const name of ["sweep", "explain", "validate"]) {
    const data = dataOf(report(name));
    const {page} = await open(report(name), {script: false});
    const rows = await page.locator("noscript tbody").count() === 0 ? await page.locator("tbody").all() : await page.locator("noscript tbody").all();
    assert.equal(rows.length, data.tables.length);
    for (const [i, table] of data.tables.entries()) assert.equal(await rows[i].locator("tr").count(), table.values[0]?.length ?? 0);
    assert.match(await page.locator("h1").textContent(), /./);
    assert.match(await page.locator("#command").textContent(), /^ringmesh /);
    await page.close();
  }
});

test("a resized window draws again", async () => {
  const {page} = await open(report("sweep"));
  const width = () => page.evaluate(() => Number(document.querySelector(".plot svg").getAttribute("width")));
  const before = await width();
  await page.setSize(600, 900);
  await pause(200);
  assert.ok(await width() < before);
  await drawAll(page);
  await page.close();
});
