import { expect } from "vitest";
import type { ElementReference, EngineWindow } from "./engines.ts";

const PATIENCE_MS = 45_000;

/** A person at a window of another browser than Chromium, who finds things by what they say. */
export class EngineVisit {
  constructor(
    readonly window: EngineWindow,
    readonly origin: string,
  ) {}

  /** Opens a page and waits until its forms react. */
  async go(path: string): Promise<void> {
    await this.window.open(`${this.origin}${path}`);
    await this.#until("React in the forms", () => this.window.run(isHydrated));
  }

  /** Waits until the page has loaded and the browser is idle. */
  async settles(): Promise<void> {
    await this.#until("end of loading", () => this.window.run(() => document.readyState === "complete"));
    await this.window.run(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 })));
  }

  /** Stores a member's token, as signing in does. */
  async signInAs(token: string): Promise<void> {
    await this.go("/login");
    await this.window.run((value) => localStorage.setItem("token", value), token);
  }

  async press(name: string): Promise<void> {
    const find = () => this.window.run(buttonNamed, name);
    await this.#act(`button "${name}"`, find, (button) => this.window.click(button));
  }

  /** Checks a box, or chooses one of several. */
  async check(label: string): Promise<void> {
    const find = () => this.window.run(fieldNamed, label);
    await this.#act(`field "${label}"`, find, (field) => this.window.click(field));
  }

  /** Types into a field, or the name of a choice into a list of choices. */
  async type(label: string, text: string): Promise<void> {
    const find = () => this.window.run(fieldNamed, label);
    await this.#act(`field "${label}"`, find, (field) => this.window.type(field, text));
  }

  /** Waits until a text is visible. */
  async sees(text: string): Promise<void> {
    await this.#until(`"${text}"`, () => this.window.run(saysText, text));
  }

  async arrivesAt(path: string): Promise<void> {
    const url = `${this.origin}${path}`;
    await this.#until(path, () => this.window.run((wanted) => location.href === wanted, url));
  }

  /** Checks that the page needs no horizontal scrolling. */
  async fits(): Promise<void> {
    const overflow = await this.window.run(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect(overflow, "pixels by which the page is too wide").toBe(0);
  }

  async #act(
    what: string,
    find: () => Promise<HTMLElement | null>,
    act: (element: ElementReference) => Promise<void>,
  ): Promise<void> {
    await this.#until(what, async () => {
      const element = await find();
      // WebDriver passes an element of the page as a reference.
      if (element !== null) await act(element as unknown as ElementReference);
      return element !== null;
    });
  }

  async #until<Result>(what: string, ask: () => Promise<Result>): Promise<Result> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      // React may replace an element after it was found.
      const answer = await ask().catch((error: unknown) => {
        if (!String(error).includes("stale element")) throw error;
      });
      if (answer) return answer;
      if (Date.now() > deadline) {
        const page = await this.window.run(() => `${location.href}\n${document.body.innerText}`);
        throw new Error(`No ${what} at ${page}`);
      }
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
  }
}

/** Whether React has taken over each form. */
function isHydrated(): boolean {
  const forms = [...document.querySelectorAll("form")];
  return forms.every((form) => Object.keys(form).some((key) => key.startsWith("__reactProps")));
}

/** The visible, enabled button of this name, or the first whose name begins with it. */
function buttonNamed(name: string): HTMLElement | null {
  const page = document.querySelector("dialog[open]") ?? document;
  const named = [...page.querySelectorAll<HTMLElement>("button:enabled")]
    .filter((one) => one.checkVisibility())
    .map((one) => ({ one, its: (one.ariaLabel ?? one.innerText).trim() }));
  const exact = named.find(({ its }) => its === name);
  const button = (exact ?? named.find(({ its }) => its.startsWith(name)))?.one ?? null;
  button?.scrollIntoView({ block: "center", behavior: "instant" });
  return button;
}

/** The field whose label begins with this text. */
function fieldNamed(label: string): HTMLElement | null {
  const labels = [...document.querySelectorAll("label")];
  const field = labels.find(({ innerText }) => innerText.trim().startsWith(label))?.control ?? null;
  field?.scrollIntoView({ block: "center", behavior: "instant" });
  return field;
}

function saysText(text: string): boolean {
  return (document.querySelector<HTMLElement>("dialog[open]") ?? document.body).innerText.includes(text);
}
