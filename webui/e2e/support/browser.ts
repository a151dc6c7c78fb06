import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chromium, type Browser, type BrowserContext } from "playwright-core";

const PROGRAM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

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
    executablePath: PROGRAM,
    headless: true,
    args: FLAGS,
  });
  return await started;
}

/** A Chromium with a profile that outlives it, and the end of its process without a warning. */
export async function startKillable(
  profile: string,
): Promise<{ readonly context: BrowserContext; readonly kill: () => Promise<void> }> {
  const flags = [...FLAGS, "--headless", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
  // Debian's program is a script: the browser is killed with the group of its processes.
  const program = spawn(PROGRAM, flags, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  const browser = await chromium.connectOverCDP(await debuggerOf(program));
  const [context] = browser.contexts();
  if (context === undefined) throw new Error("Chromium has no window.");
  const kill = async () => {
    const ended = once(program, "exit");
    if (program.pid !== undefined) process.kill(-program.pid, "SIGKILL");
    await ended;
    await browser.close();
  };
  return { context, kill };
}

async function debuggerOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error("Chromium says nothing.");
  for await (const line of createInterface({ input: stderr })) {
    const address = /ws:\S+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error("Chromium did not start.");
}
