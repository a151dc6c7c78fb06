import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, inject, test } from "vitest";
import { startBrowser } from "./browser.ts";
import { Organisation } from "./organisation.ts";
import { IS_FULL } from "./soak.ts";
import { Visit } from "./visit.ts";

/** Phone and desktop width. */
export const WIDTHS = [390, 1440];
/** The widths of most journeys: the layout rarely matters, and `nox -s full` takes both. */
export const USUAL_WIDTHS = IS_FULL ? WIDTHS : [390];
/** The languages of journeys whose French texts other tests hold; `nox -s full` takes both. */
export const USUAL_LANGUAGES: readonly ("en" | "fr")[] = IS_FULL ? ["en", "fr"] : ["en"];
const FAILURES = fileURLToPath(new URL("../../shots/failures", import.meta.url));

/** The widths of a journey that is taken in the usual languages only. */
export function widthsIn(language: "en" | "fr"): readonly number[] {
  return USUAL_LANGUAGES.includes(language) ? USUAL_WIDTHS : [];
}

type Way = (visit: Visit, organisation: Organisation) => Promise<void>;

/**
 * Serves an organisation to the journeys of a file.
 *
 * @param settings of the server, by their variables.
 * @param prepare changes each new context before its first page.
 * @param host the name in the site's address.
 * @param serviceWorkers allowed or not: what they ask for passes by the faults that a journey makes.
 * @param template the sample organisation, or what creates another one in a folder.
 */
export function openSite(
  settings: Readonly<Record<string, string>> = {},
  prepare: (context: BrowserContext) => Promise<void> = () => Promise.resolve(),
  host?: string,
  serviceWorkers: "allow" | "block" = "block",
  template: "organisation" | "euro" | "empty" | (() => Promise<string>) = "organisation",
): { readonly journey: (title: string, way: Way, widths?: readonly number[]) => void } {
  let organisation: Organisation;
  let browser: Browser;
  beforeAll(async () => {
    [organisation, browser] = await Promise.all([
      serveCopyOf(template, settings, host),
      startBrowser(),
    ]);
  });
  afterAll(() => organisation.stop());

  const run = async (title: string, width: number, way: Way) => {
    const context = await browser.newContext({
      viewport: { width, height: width < 720 ? 844 : 900 },
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
      serviceWorkers,
    });
    await prepare(context);
    const visit = await Visit.begin(context, width, organisation.origin);
    try {
      await way(visit, organisation);
      visit.expectNoFaults();
    } catch (error) {
      throw await explained(error, visit, organisation, `${title} ${width}`);
    } finally {
      // A delayed answer may still be on its way.
      await visit.page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    }
  };
  const journey = (title: string, way: Way, widths: readonly number[] = USUAL_WIDTHS) => {
    describe.each(widths)("%i px", (width) => {
      test(title, () => run(title, width, way));
    });
  };
  return { journey };
}

async function serveCopyOf(
  template: "organisation" | "euro" | "empty" | (() => Promise<string>),
  settings: Readonly<Record<string, string>>,
  host: string | undefined,
): Promise<Organisation> {
  if (typeof template === "string") return await Organisation.serve(inject(template), settings, host);
  const folder = await template();
  const organisation = await Organisation.serve(folder, settings, host);
  await rm(folder, { recursive: true });
  return organisation;
}

/** The error with details for debugging. */
async function explained(
  error: unknown,
  visit: Visit,
  organisation: Organisation,
  title: string,
): Promise<Error> {
  await mkdir(FAILURES, { recursive: true });
  const file = path.join(FAILURES, `${title.replaceAll(/[^a-z0-9]+/gi, "-")}.png`);
  await visit.page.screenshot({ path: file }).catch(() => null);
  const failure = error instanceof Error ? error : new Error(String(error));
  failure.message += [
    "",
    `Address: ${visit.address}`,
    `What went wrong in the window: ${JSON.stringify(visit.faults, null, 2)}`,
    `Screenshot: ${file}`,
    `The server's last words:\n${await organisation.logTail()}`,
  ].join("\n");
  return failure;
}

/** Chooses in the dialog of a vote, and confirms what is final. */
export async function castVote({ dialog }: Visit, choice: "Yes" | "No" | "Oui"): Promise<void> {
  await dialog.getByRole("button", { name: choice, exact: true }).click();
  await dialog.getByRole("button", { name: /This is final\.|C’est définitif\./ }).click();
}
