import { chromium, type Browser } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Pages live for seconds: optimising their scripts takes longer than it saves.
  "--js-flags=--no-opt --no-maglev",
  // A request to another host fails, and so does the test.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

let started: Promise<Browser> | undefined;

/** The worker's Chromium. Its files share it, each window has a profile; it ends with the worker. */
export async function startBrowser(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
  });
  return await started;
}
