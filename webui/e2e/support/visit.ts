import axe, { type AxeResults } from "axe-core";
import type { BrowserContext, ConsoleMessage, Locator, Page, Request, Response } from "playwright-core";
import { expect } from "vitest";
import type { Person } from "./organisation.ts";

/** WCAG 2.2 AA, and what everybody agrees on besides. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// What is loaded when the browser is idle begins within this time.
const QUIET_MS = 300;
// Long enough for a machine that does other things as well.
const PATIENCE_MS = 15_000;

type Refusal = { readonly call: string; readonly status: number; seen: boolean };

/** One person at one window. Whatever goes wrong in it is noted, and fails the test at its end. */
export class Visit {
  readonly #origin: string;
  readonly #context: BrowserContext;
  readonly faults: string[] = [];
  readonly #refusals: Refusal[] = [];
  readonly #pending = new Set<Request>();
  readonly #allowed: Set<string>;
  #lastRequest = 0;

  private constructor(
    readonly page: Page,
    readonly width: number,
    context: BrowserContext,
    origin: string,
  ) {
    this.#context = context;
    this.#origin = origin;
    this.#allowed = new Set([origin]);
  }

  static async begin(context: BrowserContext, width: number, origin: string): Promise<Visit> {
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const visit = new Visit(page, width, context, origin);
    await visit.#watch();
    return visit;
  }

  get narrow(): boolean {
    return this.width < 720;
  }

  /** Opens a page, and waits until nothing more is loaded. */
  async go(path: string): Promise<void> {
    await this.page.goto(`${this.#origin}${path}`);
    await this.settle();
  }

  /** Waits until nothing was loaded for a while, also after a step within the page. */
  async settle(): Promise<void> {
    await this.page.waitForLoadState();
    await this.page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(() => resolve(null), { timeout: 2000 })),
    );
    const deadline = Date.now() + PATIENCE_MS;
    while (this.#pending.size > 0 || Date.now() - this.#lastRequest < QUIET_MS) {
      if (Date.now() > deadline) throw new Error(`${this.address} goes on loading.`);
      await this.page.waitForTimeout(20);
    }
  }

  /** Begins with a member's token in the browser's storage, as after a sign-in. */
  async signInAs(person: Person): Promise<void> {
    await this.#context.addInitScript((token) => {
      if (sessionStorage.getItem("test-signed-in") !== null) return;
      sessionStorage.setItem("test-signed-in", "yes");
      localStorage.setItem("token", token);
    }, person.token);
  }

  /** The address without its origin. */
  get address(): string {
    return this.page.url().slice(this.#origin.length);
  }

  async arrivesAt(path: string): Promise<void> {
    await this.page.waitForURL(`${this.#origin}${path}`);
  }

  async press(name: string | RegExp): Promise<void> {
    await this.button(name).click();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", exactly(name)).filter({ visible: true }).first();
  }

  link(name: string | RegExp): Locator {
    return this.page.getByRole("link", exactly(name)).filter({ visible: true }).first();
  }

  field(label: string | RegExp): Locator {
    return this.page.getByLabel(label, typeof label === "string" ? { exact: true } : {});
  }

  /** Waits until a text can be read somewhere. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }

  async seesNot(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor({ state: "hidden" });
  }

  /** Waits for a notice at the top right. */
  async isTold(text: string | RegExp): Promise<void> {
    await this.page.locator(".Toastify__toast", { hasText: text }).first().waitFor();
  }

  get dialog(): Locator {
    return this.page.locator("[aria-modal=true]");
  }

  /** Says that the server will refuse a call: neither that nor the browser's note of it is a fault. */
  expectRefusal(status: number, call: string): void {
    this.expectStatus(status, `/api${call}`);
  }

  /** The same for any address of the site. */
  expectStatus(status: number, path: string): void {
    this.#refusals.push({ status, call: `${this.#origin}${path}`, seen: false });
  }

  /** Lets the page ask for another origin, which the test answers itself. */
  allow(origin: string): void {
    this.#allowed.add(origin);
  }

  /** No barrier for anybody (axe), nothing wider than the window, a title. */
  async looksRight(): Promise<void> {
    await this.settle();
    await this.#expectNoSidewaysScroll();
    expect(await this.page.title(), `the title of ${this.address}`).toMatch(/Jara/);
    expect(await this.#barriers(), `barriers at ${this.address}`).toEqual([]);
  }

  /** The same in the dark. */
  async looksRightInTheDark(): Promise<void> {
    await this.page.emulateMedia({ colorScheme: "dark" });
    expect(await this.#barriers(), `barriers at ${this.address} in the dark`).toEqual([]);
    await this.page.emulateMedia({ colorScheme: "light" });
  }

  /** Nobody has to scroll sideways on a narrower screen. */
  async fitsAt(width: number): Promise<void> {
    await this.page.setViewportSize({ width, height: 700 });
    await this.#expectNoSidewaysScroll();
  }

  /** Fails when anything went wrong in the window since it was opened. */
  expectNoFaults(): void {
    expect(this.faults, "what went wrong in the window").toEqual([]);
    const missing = this.#refusals.filter(({ seen }) => !seen).map(({ call }) => call);
    expect(missing, "refusals that did not come").toEqual([]);
  }

  async #expectNoSidewaysScroll(): Promise<void> {
    const overflow = await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect(overflow, `pixels by which ${this.address} is too wide`).toBe(0);
  }

  async #barriers(): Promise<string[]> {
    await this.page.evaluate(axe.source);
    const violations = await this.page.evaluate(async (values): Promise<AxeResults["violations"]> => {
      const run = (globalThis as unknown as { axe: typeof axe }).axe;
      return (await run.run({ runOnly: { type: "tag", values } })).violations;
    }, RULES);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`),
    );
  }

  async #watch(): Promise<void> {
    await this.#context.exposeBinding("noteViolation", (_source, what: string) => {
      this.faults.push(`Content-Security-Policy: ${what}`);
    });
    await this.#context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        const note = (window as unknown as { noteViolation: (what: string) => void }).noteViolation;
        note(`${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    this.page.on("request", (request) => {
      this.#pending.add(request);
      this.#lastRequest = Date.now();
    });
    this.page.on("requestfinished", (request) => this.#noteEnd(request));
    this.page.on("requestfailed", (request) => this.#noteEnd(request));
    this.#context.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (!protocol.startsWith("http") || this.#allowed.has(origin)) return;
      this.faults.push(`asked for ${request.url()}`);
    });
    this.#context.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // The page gave the request up itself, because somebody went on.
      if (reason !== "net::ERR_ABORTED") this.faults.push(`${reason} ${request.url()}`);
    });
    this.#context.on("response", (response) => this.#noteResponse(response));
    this.#context.on("console", (message) => this.#noteMessage(message));
    this.page.on("pageerror", (error) => this.faults.push(`thrown: ${error.message}`));
    this.page.on("crash", () => this.faults.push("the page crashed"));
  }

  #noteEnd(request: Request): void {
    this.#pending.delete(request);
    this.#lastRequest = Date.now();
  }

  #noteResponse(response: Response): void {
    if (response.status() < 400) return;
    const refusal = this.#refusals.find(
      ({ call, status }) => call === response.url() && status === response.status(),
    );
    if (refusal === undefined) this.faults.push(`${response.status()} ${response.url()}`);
    else refusal.seen = true;
  }

  #noteMessage(message: ConsoleMessage): void {
    if (message.type() !== "error") return;
    // Chromium notes every refusal; those are looked at one by one above.
    if (message.text().startsWith("Failed to load resource: the server responded")) return;
    this.faults.push(`console: ${message.text()}`);
  }
}

function exactly(name: string | RegExp) {
  return typeof name === "string" ? { name, exact: true } : { name };
}
