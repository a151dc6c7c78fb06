// Takes screenshots of every page at 390 and 1440 pixels, from the built site and dev-api.mjs.
// node scripts/take-shots.mjs [--dark] [--out FOLDER] [page ...]
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import axe from "axe-core";
import { chromium } from "playwright-core";

const PAGES = {
  home: "/",
  about: "/why-jara-exists",
  "how-jara-works": "/how-jara-works",
  team: "/team",
  faqs: "/faqs",
  projects: "/projects",
  grants: "/grants",
  project: "/projects/clean-water-boreholes",
  donations: "/donations",
  impact: "/impact",
  share: "/share",
  "payment-success": "/payment-success?amount=25",
  terms: "/terms",
  privacy: "/privacy",
  "newsletter-confirm": "/newsletter/confirm?code=abc",
  emails: "/emails?code=abc",
  "newsletter-unsubscribe": "/newsletter/unsubscribe?code=abc",
  404: "/no-such-page",
};
const WIDTHS = [390, 1440];
// Dialogs cover the window, so a full-page screenshot would show them wrongly.
const WINDOW_ONLY = new Set(["share"]);
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const args = process.argv.slice(2);
const dark = args.includes("--dark");
const out = args.includes("--out") ? args[args.indexOf("--out") + 1] : "shots";
const wanted = args.filter((arg) => arg in PAGES);
const port = 8123;

mkdirSync(out, { recursive: true });
const server = spawn(process.execPath, ["scripts/dev-api.mjs", String(port)], { stdio: "inherit" });
const profile = mkdtempSync(path.join(os.tmpdir(), "jara-shots-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: FLAGS,
  colorScheme: dark ? "dark" : "light",
  reducedMotion: "reduce",
});
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(PAGES)) {
    for (const width of WIDTHS) await take(name, width);
  }
} finally {
  await browser.close();
  server.kill();
}

async function take(name, width) {
  const page = await browser.newPage();
  const complain = (text) => console.log(`${name} ${width}: ${text}`);
  page.on("console", (message) => message.type() === "error" && complain(message.text()));
  page.on("pageerror", (error) => complain(error.message));
  await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
  await page.goto(`http://127.0.0.1:${port}${PAGES[name]}`, { waitUntil: "networkidle" });
  await page.evaluate(() => document.fonts.ready);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  if (overflow > 0) complain(`wider than the window by ${overflow} px`);
  if (width === WIDTHS[1]) await lookForBarriers(page, complain);
  // Pictures further down load lazily.
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 600) {
      window.scrollTo(0, y);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    window.scrollTo(0, 0);
  });
  await page.waitForLoadState("networkidle");
  const file = path.join(out, `${name}${dark ? "-dark" : ""}-${width}.png`);
  await page.screenshot({ path: file, fullPage: !WINDOW_ONLY.has(name) });
  await page.close();
}

// With real styles and colours, unlike the unit tests.
async function lookForBarriers(page, complain) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  for (const { id, nodes } of violations) complain(`${id}: ${nodes[0].html.slice(0, 120)}`);
}
