// SPDX-License-Identifier: Apache-2.0
// Debian's Chromium over the pipe of its DevTools protocol, and pages whose every request and message is noted.
import {spawn} from "node:child_process";
import {once} from "node:events";
import {existsSync, mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell", "/usr/lib/chromium/chromium"];
const FLAGS = ["--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const PATIENCE = 10000;  // ms, for what a page is about to show
const KEYS = {Tab: 9, Escape: 27, ArrowRight: 39, ArrowDown: 40};

export const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** What `look` gives as soon as it gives something; after PATIENCE an error that says what was awaited. */
async function awaited(what, look) {
  for (const end = Date.now() + PATIENCE; ; await pause(20)) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
  }
}

class Chromium {
  #folder = mkdtempSync(join(tmpdir(), "ringmesh-browser-"));
  #answers = new Map();
  #pages = new Map();  // by session
  #calls = 0;
  #process;

  constructor() {
    const program = process.env.CHROMIUM ?? PROGRAMS.find(existsSync);
    if (!program) throw new Error("no Chromium; run ./ringmesh install report");
    this.#process = spawn(program, [...FLAGS, `--user-data-dir=${this.#folder}`], {stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"]});
    let said = "";
    this.#process.stderr.setEncoding("utf8").on("data", (text) => { said += text; });
    this.#process.on("exit", (status) => {
      for (const {reject} of this.#answers.values()) reject(new Error(`${program} ended with status ${status}: ${said.slice(-500)}`));
    });
    this.#process.stdio[3].on("error", () => {});  // it has ended
    let begun = "";
    this.#process.stdio[4].setEncoding("utf8").on("data", (text) => {
      const all = (begun + text).split("\0");
      begun = all.pop();
      for (const each of all) this.#take(JSON.parse(each));
    });
  }

  #take({id, result, error, method, params, sessionId}) {
    if (id === undefined) {
      if (sessionId) this.#pages.get(sessionId)?.take(method, params);
      else for (const page of this.#pages.values()) page.take(method, params);
      return;
    }
    const {resolve, reject} = this.#answers.get(id);
    this.#answers.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#calls;
    this.#process.stdio[3].write(`${JSON.stringify({id, method, params, sessionId})}\0`);
    return new Promise((resolve, reject) => { this.#answers.set(id, {resolve, reject}); });
  }

  async newPage() {
    const {targetId} = await this.send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await this.send("Target.attachToTarget", {targetId, flatten: true});
    const page = new Page((method, params) => this.send(method, params, sessionId), async () => {
      this.#pages.delete(sessionId);
      await this.send("Target.closeTarget", {targetId});
    });
    this.#pages.set(sessionId, page);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await page.send(`${domain}.enable`);
    return page;
  }

  async saveDownloads() {
    await this.send("Browser.setDownloadBehavior", {behavior: "allowAndName", downloadPath: this.#folder, eventsEnabled: true});
    return this.#folder;
  }

  async close() {
    const ended = once(this.#process, "exit");
    await this.send("Browser.close");
    await ended;
    rmSync(this.#folder, {recursive: true, force: true});
  }
}

let chromium = null;

export async function closeBrowser() {
  await chromium?.close();
}

/** In the page: the elements that the steps of a Locator find. */
function elementsOf(steps) {
  const shown = (element) => element.checkVisibility({visibilityProperty: true}) && element.getClientRects().length > 0;
  let found = [document];
  for (const {css, hasText = "", visible = false, at} of steps) {
    found = css === undefined ? found.slice(at, at + 1)
      : [...new Set(found.flatMap((each) => [...each.querySelectorAll(css)]))].filter((each) => each.textContent.includes(hasText) && (!visible || shown(each)));
  }
  return found;
}

/** Elements by CSS, by a text within them, by being visible, by their number. What it does waits until one is there. */
class Locator {
  #page;
  #steps;

  constructor(page, steps) {
    this.#page = page;
    this.#steps = steps;
  }

  locator(css, {hasText, visible} = {}) { return new Locator(this.#page, [...this.#steps, {css, hasText, visible}]); }
  nth(at) { return new Locator(this.#page, [...this.#steps, {at}]); }
  first() { return this.nth(0); }

  evaluateAll(call, ...values) {
    return this.#page.evaluate(`(${call})((${elementsOf})(${JSON.stringify(this.#steps)}), ...${JSON.stringify(values)})`);
  }
  count() { return this.evaluateAll((all) => all.length); }
  allTextContents() { return this.evaluateAll((all) => all.map((each) => each.textContent)); }
  async all() { return Array.from({length: await this.count()}, (_, at) => this.nth(at)); }

  /** Of the only element. */
  async #one(call, ...values) {
    await this.waitFor();
    assertOne(await this.count(), this.#steps);
    return this.#page.evaluate(`(${call})((${elementsOf})(${JSON.stringify(this.#steps)})[0], ...${JSON.stringify(values)})`);
  }
  waitFor() { return awaited(JSON.stringify(this.#steps), () => this.count()); }
  textContent() { return this.#one((each) => each.textContent); }
  getAttribute(name) { return this.#one((each, of) => each.getAttribute(of), name); }
  isDisabled() { return this.#one((each) => each.disabled); }
  focus() { return this.#one((each) => each.focus()); }
  fill(value) {
    return this.#one((each, text) => {
      each.focus();
      each.value = text;
      for (const type of ["input", "change"]) each.dispatchEvent(new Event(type, {bubbles: true}));
    }, value);
  }
  selectOption(value) {
    return this.#one((each, wanted) => {
      if (![...each.options].some((option) => option.value === wanted)) throw new Error(`no option ${wanted}`);
      each.value = wanted;
      for (const type of ["input", "change"]) each.dispatchEvent(new Event(type, {bubbles: true}));
    }, value);
  }

  /** With the mouse, where nothing else lies above it. */
  async click() {
    const {x, y} = await awaited(`a place to click ${JSON.stringify(this.#steps)}`, () => this.#one((each) => {
      each.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
      const {left, top, width, height} = each.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const above = document.elementFromPoint(x, y);
      return above && (each.contains(above) || above.contains(each)) && !each.disabled ? {x, y} : null;
    }));
    for (const type of ["mouseMoved", "mousePressed", "mouseReleased"]) {
      await this.#page.send("Input.dispatchMouseEvent", {type, x, y, button: type === "mouseMoved" ? "none" : "left", clickCount: type === "mouseMoved" ? 0 : 1});
    }
  }
}

function assertOne(count, steps) {
  if (count !== 1) throw new Error(`${count} elements for ${JSON.stringify(steps)}`);
}

class Page {
  requests = [];  // beyond its own file
  messages = [];
  #file = "";
  #media = {};
  #downloaded = [];
  #close;

  constructor(send, close) {
    this.send = send;
    this.#close = close;
  }

  take(method, params) {
    if (method === "Network.requestWillBeSent") {
      const {url} = params.request;
      if (url !== this.#file && !url.startsWith("data:") && !url.startsWith("blob:")) this.requests.push(url);
    }
    if (method === "Runtime.consoleAPICalled") this.messages.push(`${params.type}: ${params.args.map((each) => each.value ?? each.description).join(" ")}`);
    if (method === "Runtime.exceptionThrown") this.messages.push(`error: ${params.exceptionDetails.exception?.description ?? params.exceptionDetails.text}`);
    if (method === "Log.entryAdded") this.messages.push(`${params.entry.level}: ${params.entry.text}`);
    if (method === "Browser.downloadProgress" && params.state === "completed") this.#downloaded.push(params.guid);
  }

  async goto(url) {
    this.#file = url;
    await this.send("Page.navigate", {url});
    await this.waitForFunction((wanted) => location.href === wanted && document.readyState === "complete", url);
  }

  /** What a function gives for these values, or an expression. */
  async evaluate(call, ...values) {
    const expression = typeof call === "string" ? call : `(${call})(...${JSON.stringify(values)})`;
    const {result, exceptionDetails} = await this.send("Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.unserializableValue === undefined ? result.value : Number(result.unserializableValue);
  }
  locator(css, options) { return new Locator(this, []).locator(css, options); }
  waitForFunction(call, ...values) { return awaited(String(call), () => this.evaluate(call, ...values)); }

  async press(key) {
    for (const type of ["rawKeyDown", "keyUp"]) await this.send("Input.dispatchKeyEvent", {type, key, code: key, windowsVirtualKeyCode: KEYS[key]});
  }
  setSize(width, height) { return this.send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: false}); }
  /** @param media "print", or "" for the screen */
  emulate({media = this.#media.media ?? "", scheme = this.#media.scheme}) {
    this.#media = {media, scheme};
    return this.send("Emulation.setEmulatedMedia", {media, features: [{name: "prefers-color-scheme", value: scheme}]});
  }
  async pdf() {
    const inches = {paperWidth: 8.27, paperHeight: 11.69};
    return Buffer.from((await this.send("Page.printToPDF", inches)).data, "base64");
  }
  /** The text of the file that a click saves. */
  async download(locator) {
    const folder = await chromium.saveDownloads();
    this.#downloaded = [];
    await locator.click();
    await awaited("a download", () => this.#downloaded.length);
    return readFileSync(join(folder, this.#downloaded.pop()), "utf8");
  }
  close() { return this.#close(); }
}

/** Opens a file. {page, requests, messages}: what it asked for beyond itself, and what it complained about. All charts are
 * drawn unless `draw` is false. */
export async function open(file, {width = 1280, height = 900, scheme = "light", script = true, draw = true} = {}) {
  chromium ??= new Chromium();
  const page = await chromium.newPage();
  if (!script) await page.send("Emulation.setScriptExecutionDisabled", {value: true});
  await page.setSize(width, height);
  await page.emulate({scheme});
  await page.goto(`file://${file}`);
  if (script) {
    await page.locator("html[data-ready=yes]").waitFor();
    if (draw) await drawAll(page);
  }
  return {page, requests: page.requests, messages: page.messages};
}

/** Charts are drawn when they come near; printing draws all. */
export async function drawAll(page) {
  await page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    dispatchEvent(new Event("afterprint"));
  });
  await pause(100);
}
