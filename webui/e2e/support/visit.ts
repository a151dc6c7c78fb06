import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { COLOUR_RULES, findBarriers } from "./barriers.ts";
import { Faults } from "./faults.ts";
import type { Person } from "./organisation.ts";
import { IS_FULL } from "./soak.ts";

// Work that waits for an idle browser starts within this time.
const QUIET_MS = 300;
// Long enough for a busy machine.
const PATIENCE_MS = 45_000;
// Layout shift: 0.1 counts as good; a line that breaks differently with the web fonts stays below.
const SHIFT_MAX = 0.03;

/** One person at one browser window. Any fault in it fails the test at the end. */
export class Visit {
  readonly #origin: string;
  readonly #context: BrowserContext;
  readonly #faults: Faults;

  private constructor(
    readonly page: Page,
    readonly width: number,
    context: BrowserContext,
    origin: string,
  ) {
    this.#context = context;
    this.#origin = origin;
    this.#faults = new Faults(origin);
  }

  static async begin(context: BrowserContext, width: number, origin: string): Promise<Visit> {
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const visit = new Visit(page, width, context, origin);
    await visit.#faults.watch(context, page);
    return visit;
  }

  /** Faults so far. */
  get faults(): readonly string[] {
    return this.#faults.noted;
  }

  get narrow(): boolean { return this.width < 720; }

  /** Opens a page and waits until loading is finished. */
  async go(path: string): Promise<void> {
    await this.page.goto(`${this.#origin}${path}`);
    await this.settle();
  }

  /** Waits until nothing has loaded for a while. */
  async settle(): Promise<void> {
    await this.page.waitForLoadState();
    await this.page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(() => resolve(null), { timeout: 2000 })),
    );
    const deadline = Date.now() + PATIENCE_MS;
    while (!this.#faults.isQuiet(QUIET_MS) || (await this.#saysLoading())) {
      if (Date.now() > deadline) throw new Error(`${this.address} goes on loading.`);
      await this.page.waitForTimeout(50);
    }
  }

  /** Whether a skeleton is visible; those outside the window load lazily. */
  async #saysLoading(): Promise<boolean> {
    return await this.page.evaluate(() =>
      [...document.querySelectorAll("[role=status]")].some(
        ({ textContent, parentElement }) =>
          /^(?:Loading|Chargement)$/.test(textContent ?? "") &&
          (parentElement?.getBoundingClientRect().top ?? 0) < window.innerHeight,
      ),
    );
  }

  /** Stores a member's token, as signing in does. */
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

  /** Waits until a text is visible. */
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
    return this.page.locator("dialog[open]");
  }

  /** Expects the server to refuse a call. */
  expectRefusal(status: number, call: string): void {
    this.expectStatus(status, `/api${call}`);
  }

  /** Expects a status for any address of the site. */
  expectStatus(status: number, path: string): void {
    this.#faults.expect(`${this.#origin}${path}`, status);
  }

  /** Expects files to be gone, as after a redeploy. */
  expectMissingFiles(): void {
    this.#faults.tolerate(404);
  }

  /** Expects any call to be refused with this status. */
  expectRefusals(status: number): void {
    this.#faults.tolerate(status);
  }

  /** Expects 401 from any call: the session has ended. */
  expectEndOfSignIn(): void {
    this.#faults.tolerate(401);
  }

  /** Expects 403 from any call: the link of a partner was ended. */
  expectEndOfLink(): void {
    this.#faults.tolerate(403);
  }

  /** Expects a call to get no answer. */
  expectLoss(call: string): void {
    this.#faults.expect(`${this.#origin}/api${call}`, "lost");
  }

  /** Expects requests for matching addresses to get no answer. */
  expectLosses(address: RegExp): void {
    this.#faults.tolerateLosses(address);
  }

  /** Drops the answer to the next request of a call after the server has handled it. */
  async loseAnswer(call: string): Promise<void> {
    this.expectLoss(call);
    const once = { times: 1 };
    await this.page.route(
      `**/api${call}`,
      async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      },
      once,
    );
  }

  /** Allows another origin, which the test answers itself. */
  allow(origin: string): void {
    this.#faults.allow(origin);
  }

  /** Checks accessibility (axe), horizontal overflow and the title. */
  async looksRight(): Promise<void> {
    await this.settle();
    await this.#expectNoSidewaysScroll();
    expect(await this.page.title(), `the title of ${this.address}`).toMatch(/Jara/);
    expect(await findBarriers(this.page), `barriers at ${this.address}`).toEqual([]);
  }

  /** Checks that nothing shifted while the page loaded. */
  async stayedStill(most = SHIFT_MAX): Promise<void> {
    const shift = await this.page.evaluate(() => {
      const observer = new PerformanceObserver(() => undefined);
      observer.observe({ type: "layout-shift", buffered: true });
      const shifts = observer.takeRecords() as unknown as { readonly value: number }[];
      return shifts.reduce((sum, { value }) => sum + value, 0);
    });
    expect(shift, `layout shift of ${this.address}`).toBeLessThan(most);
  }

  /** Checks the colours of the page in dark mode; no other rule of axe runs there. */
  async looksRightInTheDark(): Promise<void> {
    await this.page.emulateMedia({ colorScheme: "dark" });
    expect(await findBarriers(this.page, COLOUR_RULES), `dark ${this.address}`).toEqual([]);
    await this.page.emulateMedia({ colorScheme: "light" });
  }

  /** Checks that the page needs no horizontal scrolling at any width or zoom; large text: own-style.ts. */
  async fitsEverywhere(): Promise<void> {
    // 720 is what 1440 leaves at 200 %; 320 is what 1280 leaves at 400 % (WCAG 1.4.10).
    for (const width of [320, 360, 720, 1024]) {
      await this.page.setViewportSize({ width, height: 700 });
      await this.#expectNoSidewaysScroll();
    }
  }

  /** Checks the loaded page at desktop width in full runs; home has a journey of that width. */
  async looksRightWhenWide(): Promise<void> {
    if (!IS_FULL) return;
    await this.page.setViewportSize({ width: 1440, height: 900 });
    await this.looksRight();
  }

  /** Fails on any fault since the window was opened. */
  expectNoFaults(): void {
    this.#faults.expectNone();
  }

  async #expectNoSidewaysScroll(): Promise<void> {
    const overflow = await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    const { width } = this.page.viewportSize() ?? { width: 0 };
    expect(overflow, `pixels by which ${this.address} is too wide at ${width}`).toBe(0);
  }
}

function exactly(name: string | RegExp) {
  return typeof name === "string" ? { name, exact: true } : { name };
}
