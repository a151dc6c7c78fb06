import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./free-port.ts";

// Firefox and WebKitGTK as Debian packages them. Playwright drives only builds of its own, and
// Debian has no geckodriver, but both browsers speak WebDriver (https://www.w3.org/TR/webdriver2/):
// WebKitGTK's over HTTP, Firefox's as Marionette, the same commands as JSON over TCP.

const START_MS = 60_000;
/** The key of an element's reference in WebDriver's JSON. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export type ElementReference = { readonly [ELEMENT]: string };
type Command = { readonly http: string; readonly tcp: string };
type Send = (command: Command, values: Readonly<Record<string, unknown>>) => Promise<unknown>;

const NEW_SESSION = { http: "", tcp: "WebDriver:NewSession" };
const OPEN = { http: "/url", tcp: "WebDriver:Navigate" };
const RUN = { http: "/execute/sync", tcp: "WebDriver:ExecuteScript" };
const PART = { http: "", tcp: "Marionette:SetContext" };
const SIZE = { http: "/window/rect", tcp: "WebDriver:SetWindowRect" };

/** A window of a browser. */
export class EngineWindow {
  readonly #send: Send;
  readonly #close: () => Promise<void>;

  constructor(send: Send, close: () => Promise<void>) {
    this.#send = send;
    this.#close = close;
  }

  /** Sets the size of the window, in CSS pixels. */
  async resize(width: number, height: number): Promise<void> {
    await this.#send(SIZE, { width, height });
  }

  /** Opens an address and waits until it has loaded. */
  async open(url: string): Promise<void> {
    await this.#send(OPEN, { url });
  }

  /** Runs a function in the page; it sees its arguments and the page, nothing else. */
  async run<Result, Values extends readonly unknown[]>(
    program: (...values: Values) => Result,
    ...values: Values
  ): Promise<Result> {
    const script = `return (${program.toString()})(...arguments)`;
    return (await this.#send(RUN, { script, args: values })) as Result;
  }

  /** Clicks an element with the mouse, after scrolling to it. */
  async click(element: ElementReference): Promise<void> {
    await this.#act(element, "click", "Click", {});
  }

  /** Types into an element with the keyboard. */
  async type(element: ElementReference, text: string): Promise<void> {
    await this.#act(element, "value", "SendKeys", { text });
  }

  /** What came to Firefox's console since the last call, which asks the browser itself, not the page. */
  async consoleOfFirefox(): Promise<readonly string[]> {
    await this.#send(PART, { value: "chrome" });
    const script = `
      const messages = Services.console.getMessageArray().map((one) => one.message);
      Services.console.reset();
      return messages;`;
    const messages = await this.#send(RUN, { script, args: [] });
    await this.#send(PART, { value: "content" });
    return messages as string[];
  }

  async close(): Promise<void> {
    await this.#close();
  }

  async #act(element: ElementReference, http: string, tcp: string, values: object): Promise<void> {
    const id = element[ELEMENT];
    const command = { http: `/element/${id}/${http}`, tcp: `WebDriver:Element${tcp}` };
    await this.#send(command, { id, ...values });
  }
}

/** Starts Firefox with a new profile and without a screen. */
export async function startFirefox(): Promise<EngineWindow> {
  const profile = await mkdtemp(path.join(os.tmpdir(), "jara-firefox-"));
  const port = await freePort();
  await writeFile(path.join(profile, "user.js"), `user_pref("marionette.port", ${port});\n`);
  const args = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", profile];
  const browser = spawn("firefox-esr", args, { stdio: "ignore" });
  const socket = await retry(() => connectTo(port), browser);
  const send = marionette(socket);
  await send(NEW_SESSION, { capabilities: { alwaysMatch: {} } });
  return new EngineWindow(send, async () => {
    socket.destroy();
    await end(browser);
    await rm(profile, { recursive: true, force: true });
  });
}

/** Starts WebKitGTK's small browser on a screen that exists in memory only. */
export async function startWebKit(): Promise<EngineWindow> {
  const port = await freePort();
  const args = ["--auto-servernum", "WebKitWebDriver", `--port=${port}`];
  // A group of its own, so that its end also ends the screen and the browser.
  const driver = spawn("xvfb-run", args, { stdio: "ignore", detached: true });
  const server = `http://127.0.0.1:${port}/session`;
  const start = { capabilities: { alwaysMatch: {} } };
  const { sessionId } = (await retry(() => post(server, start), driver)) as { sessionId: string };
  const send: Send = ({ http }, values) => post(`${server}/${sessionId}${http}`, values);
  return new EngineWindow(send, async () => {
    await fetch(`${server}/${sessionId}`, { method: "DELETE" });
    process.kill(-(driver.pid ?? 0));
    await end(driver);
  });
}

async function post(url: string, values: object): Promise<unknown> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(values) });
  const { value } = (await answer.json()) as { value: unknown };
  if (!answer.ok) throw new Error(`${url}: ${JSON.stringify(value)}`);
  return value;
}

async function connectTo(port: number): Promise<Socket> {
  return await new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket)).once("error", reject);
  });
}

/** Sends commands as [0, number, name, values] and reads [1, number, error, result]. */
function marionette(socket: Socket): Send {
  const waiting = new Map<number, (error: unknown, result: unknown) => void>();
  let received = Buffer.alloc(0);
  let count = 0;
  socket.on("data", (bytes) => {
    received = Buffer.concat([received, bytes]);
    for (;;) {
      // Each message follows its length in bytes and a colon.
      const colon = received.indexOf(":");
      const from = colon + 1;
      const to = from + Number(received.subarray(0, colon).toString());
      if (colon < 0 || received.length < to) return;
      const message: unknown = JSON.parse(received.subarray(from, to).toString());
      received = received.subarray(to);
      if (!Array.isArray(message)) continue; // the greeting
      const [, number, error, result] = message as [number, number, unknown, unknown];
      waiting.get(number)?.(error, result);
      waiting.delete(number);
    }
  });
  return (command, values) =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, (error, result) => {
        if (error !== null) reject(new Error(`${command.tcp}: ${JSON.stringify(error)}`));
        else resolve(valueOf(result));
      });
      const text = JSON.stringify([0, count, command.tcp, values]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}

function valueOf(result: unknown): unknown {
  const has = typeof result === "object" && result !== null && "value" in result;
  return has ? result.value : result;
}

async function retry<Result>(act: () => Promise<Result>, program: ChildProcess): Promise<Result> {
  const deadline = Date.now() + START_MS;
  let missing: Error | undefined;
  program.once("error", (error) => { missing = error; });
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (missing !== undefined) throw missing;
      if (Date.now() > deadline || program.exitCode !== null) throw error;
    }
    await wait(100);
  }
}

async function end(program: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => program.once("exit", resolve));
  if (program.exitCode === null && program.kill("SIGKILL")) await ended;
}
