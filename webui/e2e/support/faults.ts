import type { BrowserContext, ConsoleMessage, Page, Request, Response } from "playwright-core";
import { expect } from "vitest";

type Expected = { readonly url: string; readonly status: number | "lost"; seen: boolean };

/** Collects what goes wrong in a window, except what the test expects. */
export class Faults {
  readonly noted: string[] = [];
  readonly #expected: Expected[] = [];
  readonly #tolerated = new Set<number>();
  readonly #toleratedLosses: RegExp[] = [];
  readonly #allowed: Set<string>;
  readonly #pending = new Set<Request>();
  #lastRequest = 0;

  constructor(origin: string) {
    this.#allowed = new Set([origin]);
  }

  /** Expects an answer with this status or no answer; the browser's console error is ignored too. */
  expect(url: string, status: number | "lost"): void {
    this.#expected.push({ url, status, seen: false });
  }

  /** Expects answers with this status from any call. */
  tolerate(status: number): void {
    this.#tolerated.add(status);
  }

  /** Expects requests for matching addresses to fail. */
  tolerateLosses(address: RegExp): void {
    this.#toleratedLosses.push(address);
  }

  /** Allows requests to another origin. */
  allow(origin: string): void {
    this.#allowed.add(origin);
  }

  /** Whether nothing has loaded for that many milliseconds. */
  isQuiet(forMs: number): boolean {
    return this.#pending.size === 0 && Date.now() - this.#lastRequest >= forMs;
  }

  /** Fails on any collected fault, and on an expected one that did not occur. */
  expectNone(): void {
    expect(this.noted, "what went wrong in the window").toEqual([]);
    const missing = this.#expected.filter(({ seen }) => !seen);
    expect(missing, "refusals and losses that did not come").toEqual([]);
  }

  async watch(context: BrowserContext, page: Page): Promise<void> {
    await context.exposeBinding("noteViolation", (_source, what: string) => {
      this.noted.push(`Content-Security-Policy: ${what}`);
    });
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        const note = (window as unknown as { noteViolation: (what: string) => void }).noteViolation;
        note(`${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    page.on("request", (request) => {
      this.#pending.add(request);
      this.#lastRequest = Date.now();
    });
    page.on("requestfinished", (request) => this.#noteEnd(request));
    page.on("requestfailed", (request) => this.#noteEnd(request));
    page.on("pageerror", (error) => this.noted.push(`thrown: ${error.message}`));
    page.on("crash", () => this.noted.push("the page crashed"));
    context.on("request", (request) => this.#noteRequest(request));
    context.on("requestfailed", (request) => this.#noteFailure(request));
    context.on("response", (response) => this.#noteResponse(response));
    context.on("console", (message) => this.#noteMessage(message));
  }

  #noteEnd(request: Request): void {
    this.#pending.delete(request);
    this.#lastRequest = Date.now();
  }

  #noteRequest(request: Request): void {
    const { origin, protocol } = new URL(request.url());
    if (!protocol.startsWith("http") || this.#allowed.has(origin)) return;
    this.noted.push(`asked for ${request.url()}`);
  }

  #noteFailure(request: Request): void {
    const reason = request.failure()?.errorText ?? "";
    // The page aborted the request because of a navigation.
    if (reason === "net::ERR_ABORTED" || this.#isExpected(request.url(), "lost")) return;
    if (this.#isToleratedLoss(request.url())) return;
    this.noted.push(`${reason} ${request.url()}`);
  }

  #noteResponse(response: Response): void {
    const status = response.status();
    if (status < 400 || this.#tolerated.has(status)) return;
    if (this.#isExpected(response.url(), status)) return;
    this.noted.push(`${status} ${response.url()}`);
  }

  #noteMessage(message: ConsoleMessage): void {
    if (message.type() !== "error") return;
    // Chromium logs every failed response; those are checked one by one above.
    if (message.text().startsWith("Failed to load resource: the server responded")) return;
    if (this.#expected.some(({ url, status }) => status === "lost" && url === message.location().url))
      return;
    if (this.#isToleratedLoss(message.location().url)) return;
    this.noted.push(`console: ${message.text()}`);
  }

  #isToleratedLoss(url: string): boolean {
    return this.#toleratedLosses.some((address) => address.test(url));
  }

  #isExpected(url: string, status: number | "lost"): boolean {
    const alike = this.#expected.filter((one) => one.url === url && one.status === status);
    const found = alike.find(({ seen }) => !seen) ?? alike[0];
    if (found !== undefined) found.seen = true;
    return found !== undefined;
  }
}
