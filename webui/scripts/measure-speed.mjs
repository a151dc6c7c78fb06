// node scripts/measure-speed.mjs ORIGIN ROUNDS EMAIL PASSWORD: the home page against a bare page with the
// same text, and the first text of a member's dashboard against that of /my-impact.
// Needs dist/, served at ORIGIN, and Chromium. Prints one JSON document.
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const [origin, rounds, email, password] = process.argv.slice(2);
const SLOWED = [1, 4];
// Phone and desktop; a wider window loads more pictures.
const WINDOWS = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } };
// Bytes and milliseconds, as in Lighthouse's "slow 4G".
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const SAFETY = ["content-security-policy", "cross-origin-opener-policy", "permissions-policy"];

const answer = await fetch(`${origin}/`);
const home = await answer.text();
const bareServer = await serveBare(home, answer.headers);
const bare = `http://127.0.0.1:${bareServer.address().port}/`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
});
try {
  console.log(
    JSON.stringify({
      paint: await measurePaint(),
      member: await measureMember(),
      phone: await visit(`${origin}/`, WINDOWS.phone, 1, "networkidle"),
      desk: await visit(`${origin}/`, WINDOWS.desk, 1, "networkidle"),
    }),
  );
} finally {
  await browser.close();
  bareServer.close();
}

/** Paint times of both pages, in turn, for each CPU slowdown. */
async function measurePaint() {
  const paint = [];
  for (const slowed of SLOWED) {
    const rows = [];
    for (let round = -1; round < Number(rounds); round += 1) {
      const floor = await visit(bare, WINDOWS.phone, slowed, "load");
      const own = await visit(`${origin}/`, WINDOWS.phone, slowed, "load");
      // The first round is a warm-up.
      if (round >= 0) rows.push({ bareMs: floor.paintMs, homeMs: own.paintMs });
    }
    paint.push({ slowed, rows });
  }
  return paint;
}

/** When a member sees the first text of two pages, in turn, on a slow phone. */
async function measureMember() {
  const body = JSON.stringify({ email, password });
  const headers = { "Content-Type": "application/json" };
  const { token } = await (await fetch(`${origin}/api/user/login`, { method: "POST", headers, body })).json();
  const rows = [];
  for (let round = -1; round < Number(rounds); round += 1) {
    const dashboard = await visit(`${origin}/dashboard`, WINDOWS.phone, 4, "load", token);
    const trace = await visit(`${origin}/my-impact`, WINDOWS.phone, 4, "load", token);
    if (round >= 0) rows.push({ dashboardMs: dashboard.firstMs, traceMs: trace.firstMs });
  }
  return rows;
}

/** One load with an empty cache: first and largest contentful paint, layout shift, bytes and requests. */
async function visit(url, viewport, slowed, until, token = null) {
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowed });
    await page.addInitScript(watch);
    if (token !== null) {
      await session.send("Network.emulateNetworkConditions", SLOW_4G);
      await page.addInitScript((own) => localStorage.setItem("token", own), token);
    }
    await page.goto(url, { waitUntil: until });
    await page.waitForFunction(() => globalThis.seen.paintMs > 0);
    await page.waitForTimeout(300);
    return await page.evaluate(() => {
      const loaded = [
        ...performance.getEntriesByType("navigation"),
        ...performance.getEntriesByType("resource"),
      ];
      return {
        ...globalThis.seen,
        firstMs: performance.getEntriesByName("first-contentful-paint")[0].startTime,
        requests: loaded.length,
        bytes: loaded.reduce((sum, entry) => sum + entry.transferSize, 0),
      };
    });
  } finally {
    await context.close();
  }
}

function watch() {
  const seen = { paintMs: 0, shift: 0 };
  globalThis.seen = seen;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.entryType === "layout-shift") seen.shift += entry.value;
      else seen.paintMs = entry.startTime;
    }
  });
  observer.observe({ type: "layout-shift", buffered: true });
  observer.observe({ type: "largest-contentful-paint", buffered: true });
}

/**
 * Serves the page's text and structure without scripts, styles and pictures, with the same security
 * headers: cross-origin isolation costs a process of its own whatever the page contains.
 */
async function serveBare(html, safety) {
  const text = html
    .replaceAll(/<(script|style|svg)\b.*?<\/\1>/gs, "")
    .replaceAll(/<(?:link|img)\b[^>]*>/g, "")
    .replaceAll(/ (?:class|style|hidden)="[^"]*"/g, "");
  const body = gzipSync(text);
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Encoding": "gzip" };
  for (const name of SAFETY) headers[name] = safety.get(name) ?? "";
  const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return server;
}
