// SPDX-License-Identifier: Apache-2.0
// Debian's Chromium, and pages whose every request and message is noted.
import {chromium} from "playwright-core";
import {existsSync, mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell", "/usr/lib/chromium/chromium"];
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const opened = new Map();  // folder by folder: with and without JavaScript

/** One browser for all tests, with an empty folder of its own. */
async function browser(javaScriptEnabled) {
  if (opened.has(javaScriptEnabled)) return opened.get(javaScriptEnabled).context;
  const executablePath = process.env.CHROMIUM ?? PROGRAMS.find(existsSync);
  if (!executablePath) throw new Error("no Chromium; apt-get install chromium");
  const folder = mkdtempSync(join(tmpdir(), "ringmesh-browser-"));
  const context = await chromium.launchPersistentContext(folder, {executablePath, args: FLAGS, viewport: null, javaScriptEnabled});
  opened.set(javaScriptEnabled, {context, folder});
  return context;
}

export async function closeBrowser() {
  for (const {context, folder} of opened.values()) {
    await context.close();
    rmSync(folder, {recursive: true, force: true});
  }
}

/** Opens a file. {page, requests, messages}: what it asked for beyond itself, and what it complained about. All charts are
 * drawn unless `draw` is false. */
export async function open(file, {width = 1280, height = 900, scheme = "light", script = true, draw = true} = {}) {
  const page = await (await browser(script)).newPage();
  const requests = [];
  const messages = [];
  page.on("request", (request) => {
    const url = request.url();
    if (url !== `file://${file}` && !url.startsWith("data:") && !url.startsWith("blob:")) requests.push(url);
  });
  page.on("console", (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => messages.push(`error: ${error.message}`));
  await page.setViewportSize({width, height});
  await page.emulateMedia({colorScheme: scheme});
  await page.goto(`file://${file}`);
  if (script) {
    await page.waitForSelector("html[data-ready=yes]");
    if (draw) await drawAll(page);
  }
  return {page, requests, messages};
}

/** Charts are drawn when they come near; printing draws all. */
export async function drawAll(page) {
  await page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    dispatchEvent(new Event("afterprint"));
  });
  await page.waitForTimeout(100);
}
