import { act, cleanup } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { LANGUAGE } from "@/lib/text/messages";
import commonTexts from "@/messages/en/common.json";
import { paths } from "@/lib/page/paths";
import { aProject } from "@/testing/builders";
import { fakeApi, refusal } from "@/testing/fake-api";
import { aPassedProposal, aProposal } from "@/testing/proposals";
import { currentAddress, renderApp } from "@/testing/render-app";
import { anImpactReport } from "@/testing/reports";
import { SITE_ANSWERS } from "@/testing/site-answers";
import { aTrace } from "@/testing/trace";
import { siteRoutes } from "./site-routes";

const PROPOSALS = [aProposal(), aPassedProposal({ decidedAt: "2026-11-10T01:00:00Z" })];
const FUND = { fund: "projects", cents: 800, paid: [{ project: "a", title: "Pumps", cents: 800 }], waitingCents: 5, refundedCents: 5 };
const ANSWERS = {
  ...SITE_ANSWERS,
  "GET /events": [{ id: "call", title: "A call", date: "2026-12-01", language: "en" }],
  "GET /user/get-proposals": PROPOSALS,
  "GET /user/get-proposals#open": PROPOSALS,
  "GET /impact#years": { archive: [] },
  "GET /proofs/witnesses": { of: 2, seen: 1, newest: "2026-11-21T09:00:00Z", witnesses: [] },
  "GET /projects/clean-water-boreholes": aProject(),
  "GET /projects/b": aProject({ id: "b", slug: "b" }),
  "GET /sample-trace": { trace: { month: "2026-05", cents: 1000, runningCents: 200, paid: aTrace().funds.projects.paid } },
  "GET /impact?from=2025-12-01&to=2026-11-21": anImpactReport(),
  "GET /follow?cents=1000": { cents: 1000, month: "2026-05", contributions: 1, receivedCents: 1000, funds: [FUND], months: ["2026-05"] },
  "GET /ledger/entries/e1": {
    id: "e1", kind: "pledge", month: "2026-05", date: "2026-05-02", amountCents: 1000, feeCents: 60, funds: { projects: 800 },
    project: null, title: "", documents: [], proof: { index: 3, leaf: "ab" }, trace: [FUND], payers: 5, about: null, later: [],
  },
  "GET /legal/terms": { html: "<h1>Terms</h1>" },
  "GET /legal/privacy": { html: "<h1>Privacy</h1>" },
  "GET /user/impact": aTrace(),
  "GET /user/impact?from=2026-01-01&to=2026-12-31": aTrace(),
};
/** The addresses of a route that has a parameter, or that shows something else with one. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  [paths.projectPattern]: [paths.project("clean-water-boreholes")],
  [paths.entryPattern]: [paths.entry("e1")],
  [paths.proposalPattern]: [paths.proposal("beekeeping-kits")],
  [paths.myYearPattern]: [paths.myYear("2026")],
  [paths.dashboard]: [paths.dashboard, paths.account, paths.events],
  [paths.emails]: ["/emails?code=a"],
  "*": ["/no-such-page"],
};
const PLACES = siteRoutes
  .flatMap(({ path }) => ADDRESSES[path] ?? [path])
  .flatMap((address) => [[address, "a visitor"], [address, "a member"]] as const);
const AT_A_PRESS = "the code of its address is sent when the button is pressed";
const ASKS_TO_SIGN_IN = "asks to sign in";
/** Pages that show nothing of an answer, and why. */
const ASKS_NOTHING: Readonly<Record<string, string>> = {
  [paths.login]: "a form",
  [paths.resetPassword]: "a form",
  [paths.myYear("2026")]: ASKS_TO_SIGN_IN,
  [paths.sandboxBilling]: ASKS_TO_SIGN_IN,
  [paths.paymentSuccess]: "thanks; who has just paid gets more from the page before",
  "/no-such-page": "says only that there is no such page",
  ...Object.fromEntries(
    (["newsletterConfirm", "newsletterUnsubscribe", "partnerConfirm", "confirmAddress", "agreeAddress", "undoChange", "stopPledge"] as const).map(
      (name) => [paths[name], AT_A_PRESS],
    ),
  ),
};

const catalogues = import.meta.glob<Record<string, unknown>>("../messages/en/*.json", {
  eager: true,
  import: "default",
});
const sources = import.meta.glob<string>(["../**/*.tsx", "!../**/*.test.tsx"], {
  eager: true,
  import: "default",
  query: "?raw",
});
/** What the site says where there is nothing. */
const EMPTY = Object.values(catalogues).flatMap((texts) =>
  Object.entries(texts)
    .filter(([key]) => key !== "own.none" && /(?:^|[.-])(?:empty|none)(?:$|[.-])/.test(key))
    // The build compiles a text with values into its parts.
    .map(([, text]) => String(Array.isArray(text) ? text[0] : text).split("<")[0]?.trim() ?? "")
    .filter((text) => text.length > 8),
);

/** What is left out without a word while it is unknown, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "/ GET /user/get-proposals": "the strip, which the server writes into the page",
  "/why-jara-exists GET /config": "the links to write to us, and the samples",
  "/why-jara-exists GET /projects": "the samples",
  "/why-jara-exists GET /stats": "a dash and “Try again” for each figure, and a notice",
  "/how-jara-works GET /config": "the sentences of the rule",
  "/grants GET /config": "the link to write to us",
  "/accessibility GET /config": "the address to write to",
  "/ledger GET /proofs/witnesses": "the line about witnesses",
  "/my-impact GET /sample-trace": "the example",
  "/my-impact GET /projects": "the example",
  "/my-impact GET /grants": "the example",
  "/my-impact GET /projects/b": "the example",
  "/check-vote GET /proofs/witnesses": "the line about witnesses",
  "/join GET /stats": "the number of the square",
  "/join GET /countries": "the list, which says so in its first line or below",
  "/dashboard GET /events": "the count beside Events",
  "/dashboard GET /config": "the part of a pledge that goes to projects",
  "/dashboard?tab=account GET /events": "the count beside Events",
  "/dashboard?tab=account GET /user/passkeys": "the card, where the browser can make none",
  ...(LANGUAGE === "en" ? {} : { "/dashboard?tab=account GET /countries": "the country, whose name is stored in English" }),
};
/** Keys that answers of 0.2.0 do not have. */
const NEWEST = new Set(["voteRule", "papers", "plan", "documents", "releases", "corrections", "figures", "offRoll", "withdrawal", "voteHeldSince", "isHomeCurrency"]);
const MINUTES = { timeout: 600_000 };
const RETRY = ` ${commonTexts["error.nothing-lost"]} Try again`;
const SAME = "nothing is missing";
/** What stands for a figure or a picture while it is awaited. */
const PLACEHOLDER = '[class*="skeleton"], [class*="waiting"]';
const SAID = '[role="alert"], [role="status"]';
const table: string[] = [];
const used = new Set<string>();
const visitors = new Map<string, string>();
const callsOfVisitors = new Map<string, string>();
const INTRODUCTION = `# What each page says while it does not know

For each page and each request that it makes as it is opened: the alerts and statuses that it shows beyond those of the whole page, while the request is slow and after it failed. "Without" names what the page leaves out without a word. A request without which nothing is missing has no row, and a member's page stands here if it says something else than a visitor's.

\`npx vitest run src/app/unknown.test.tsx --update\` writes this page; the test also forbids a 0 or another figure than the whole page has, "nothing" sentences and blank pages, and shows each page with answers of 0.2.0.`;

/** Where an empty list may stand for one that did not load, and why. */
const SHOWN_WITHOUT: Readonly<Record<string, string>> = {
  "features/about/samples-section.tsx": "examples of projects",
  "features/following/entry-view.tsx": "links to projects",
  "features/following/flow.tsx": "links to projects",
  "features/following/year-view.tsx": "links to projects",
  "features/voting/vote-strip.tsx": "KnownVoteStrip says that the votes did not load",
};

test("an answer that is not there is not read as an empty list", () => {
  const read = Object.entries(sources).filter(([, text]) => /useResource\([^;]*\)\.data[^;]*\?\? \[\]/.test(text));

  expect(read.map(([path]) => path.replace("../", "")).toSorted()).toEqual(Object.keys(SHOWN_WITHOUT));
});

test.each(PLACES)("%s of %s calls nothing empty that it does not know", MINUTES, async (address, who) => {
  vi.setSystemTime(new Date("2026-11-21T12:00:00Z"));
  if (who === "a member") localStorage.setItem("token", "a.b.c");
  const page = await pageOf(address, ANSWERS);
  expect(page.titles).toBe(1);
  const calls = String(page.calls.toSorted());
  if (page.address !== address || calls === callsOfVisitors.get(address)) return;
  callsOfVisitors.set(address, calls);
  await expectUnknownIsSaid(address, who, page);
});

// The table is of the English site; in French, in full runs, the test above forbids what is untrue.
test.runIf(LANGUAGE === "en")("what each page says of what it does not know is as the table tells", async () => {
  expect(Object.keys(LEFT_OUT).filter((one) => !used.has(one))).toEqual([]);
  await expect([INTRODUCTION, ...table, ""].join("\n")).toMatchFileSnapshot("../../unknown.md");
});

async function expectUnknownIsSaid(address: string, who: string, whole: Page) {
  const answers: Record<string, unknown> = ANSWERS;
  const wrong: string[] = [];
  const rows: string[] = [];
  for (const call of [...new Set(whole.calls.map(withoutPart))].toSorted()) {
    const changed = Object.keys(answers).filter((one) => withoutPart(one) === call);
    if (changed.length === 0) wrong.push(`${call}: the test has no answer to it`);
    const cells: string[] = [];
    for (const how of ["is slow", "fails", "is of 0.2.0"] as const) {
      const other = { "is slow": () => never, fails: () => refusal(500, "No."), "is of 0.2.0": withoutNewest }[how];
      const failing = Object.fromEntries([call, ...changed].map((one) => [one, other(answers[one])]));
      if (how === "is of 0.2.0" && JSON.stringify(failing) === JSON.stringify(pick(answers, failing))) continue;
      // oxlint-disable-next-line no-await-in-loop - one page at a time
      const page = await pageOf(address, { ...answers, ...failing });
      const untrue = [
        ...EMPTY.filter((one) => page.text.includes(one) && !whole.text.includes(one)),
        ...beyond(page.figures, whole.figures),
        ...(/undefined|NaN|Invalid Date/.exec(page.text) ?? []),
        ...(page.text.includes(commonTexts["error.page"]) ? ["the page broke"] : []),
        ...(page.titles === 1 || how === "is slow" ? [] : [`${page.titles} titles`]),
      ];
      if (untrue.length > 0) wrong.push(`${call} ${how}: ${untrue.join(" | ")}`);
      if (how === "is of 0.2.0") continue;
      const said = [...new Set(beyond(page.said, whole.said))];
      const isSame = page.text === whole.text && said.length === 0;
      const reason = LEFT_OUT[`${address} ${call}`];
      if (said.length === 0 && !isSame) used.add(`${address} ${call}`);
      if (said.length === 0 && !isSame && reason === undefined) wrong.push(`${call} ${how}: what is missing is not said`);
      cells.push(isSame ? SAME : said.length > 0 ? said.join(" · ") : `without: ${reason}`);
    }
    if (cells.some((cell) => cell !== SAME)) rows.push(`| ${[call, ...cells].map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
  }
  const reason = who === "a visitor" ? ASKS_NOTHING[address] : undefined;
  if ((reason === undefined) === (rows.length === 0)) wrong.push("a page without a request needs its reason, and no other");
  const lines = rows.length === 0 ? [`Shows nothing of an answer: ${reason}.`] : ["| request | slow | failed |", "|---|---|---|", ...rows];
  if (visitors.get(address) !== String(rows)) table.push("", `## ${address}, ${who}`, "", ...lines);
  if (who === "a visitor") visitors.set(address, String(rows));
  expect(wrong).toEqual([]);
}

type Page = {
  readonly address: string;
  readonly text: string;
  /** The texts of its alerts and statuses. */
  readonly said: readonly string[];
  /** The texts that are a figure, such as a badge, or that have a 0. */
  readonly figures: readonly string[];
  readonly calls: readonly string[];
  /** How many headings of the first level it has. */
  readonly titles: number;
};

/** A page once its parts and answers are there. */
async function pageOf(wanted: string, answers: Record<string, unknown>): Promise<Page> {
  const api = fakeApi(answers);
  renderApp(wanted);
  let [text, same] = ["", 0];
  while (same < 3) {
    // oxlint-disable-next-line no-await-in-loop - a part that has come may ask for the next
    await act(() => vi.dynamicImportSettled());
    const now = main()?.textContent ?? "";
    same = now === text && now.trim() !== "" ? same + 1 : 0;
    text = now;
  }
  const address = currentAddress();
  const said = [
    ...[...(main()?.querySelectorAll(SAID) ?? [])].map((one) => textsIn(one).join(" ").replace(RETRY, " [Try again]")).filter(Boolean),
    ...[...(main()?.querySelectorAll(PLACEHOLDER) ?? [])].map(() => "a placeholder"),
  ];
  const figures = textsIn(document.body).filter((one) => /(?<![\d.,])0(?:[.,]0+)?(?![\d.,]*\d)|^\P{L}*\d\P{L}*$/u.test(one));
  const titles = document.querySelectorAll("h1").length;
  cleanup();
  document.body.replaceChildren();
  return { address, text, said, figures, titles, calls: api.calls.map(({ method, path }) => `${method} ${path}`) };
}

function main() {
  return document.querySelector("main");
}

function textsIn(element: Element): string[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode()) texts.push((walker.currentNode.textContent ?? "").trim());
  return texts.filter(Boolean);
}

/** The members of a list that another does not have, each as often as it has more of it. */
function beyond(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((one) => {
    const place = left.indexOf(one);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

function withoutNewest(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer ?? null, (key, value: unknown) => (NEWEST.has(key) ? undefined : value)));
}

function pick(answers: Record<string, unknown>, keys: object) {
  return Object.fromEntries(Object.keys(keys).map((key) => [key, answers[key] ?? null]));
}

/** A call without the part of its answer that a page reads; the server does not see it. */
function withoutPart(call: string): string {
  return call.split("#")[0] ?? call;
}

function never() {
  return new Promise<Response>(() => {});
}
