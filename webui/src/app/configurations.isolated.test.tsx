import { readFileSync } from "node:fs";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { LANGUAGE, translator } from "@/lib/text/messages";
import commonTexts from "@/messages/en/common.json";
import type { EntryPage, Followed, FollowedFund } from "@/api/schema";
import { paths } from "@/lib/page/paths";
import { aConfig, aProject } from "@/testing/builders";
import { fakeApi } from "@/testing/fake-api";
import { aMemberBudget } from "@/testing/ledger";
import { aPayment, aProfile } from "@/testing/member";
import { aProposal } from "@/testing/proposals";
import { renderApp } from "@/testing/render-app";
import { SITE_ANSWERS } from "@/testing/site-answers";
import { aTrace } from "@/testing/trace";
import { siteRoutes } from "./site-routes";

const PART = { project: "clean-water-boreholes", title: "Clean water boreholes", cents: 800 };
const TRACED: FollowedFund[] = [{ fund: "projects", cents: 800, paid: [PART], waitingCents: 0, refundedCents: 0 }];
const FOLLOWED: Followed = { cents: 1000, month: null, contributions: 1, receivedCents: 1000, funds: TRACED, months: ["2026-11"] };
const ENTRY: EntryPage = {
  id: "a", kind: "pledge", month: "2026-11", date: null, amountCents: 1000, feeCents: 0, funds: { projects: 800 }, project: null,
  title: "", documents: [], proof: { index: 1, leaf: "00" }, trace: TRACED, payers: 1, about: null, later: [],
};
const ANSWERS = {
  ...SITE_ANSWERS,
  "GET /events": [],
  "GET /user/get-profile": aProfile(),
  "GET /user/payment": aPayment(),
  "GET /user/impact": aTrace(),
  "GET /user/impact?from=2026-01-01&to=2026-12-31": aTrace(),
  "GET /projects/clean-water-boreholes": aProject(),
  "GET /ledger/entries/a": ENTRY,
  "GET /follow?cents=1000": FOLLOWED,
  "GET /legal/terms": { html: "<h1>Terms</h1>" },
  "GET /legal/privacy": { html: "<h1>Privacy</h1>" },
  "GET /ledger/budget": aMemberBudget(),
  "POST /emails/choice": { email: "a@b.c", isMember: true, choice: "monthly" },
};
/** Addresses of the routes that need more than a code. */
const FILLED: Readonly<Record<string, string>> = {
  [paths.projectPattern]: paths.project("clean-water-boreholes"),
  [paths.proposalPattern]: paths.proposal(aProposal().slug),
  [paths.entryPattern]: paths.entry("a"),
  [paths.myYearPattern]: paths.myYear("2026"),
  [paths.paymentSuccess]: `${paths.paymentSuccess}?amount=25`,
  "*": "/no-such-page",
};
const PLACES = siteRoutes.map(({ path }) => FILLED[path] ?? `${path}?code=a`);
const MEMBER_PLACES = [
  "/", paths.dashboard, paths.account, paths.events, paths.ledger, paths.myImpact, paths.myYear("2026"), paths.sandboxBilling, paths.proposals,
];

/** What no page may say where something is missing; tests/test_configurations.py reads it for emails and texts. */
const ABSENT = JSON.parse(readFileSync("../tests/absent.json", "utf8")) as Readonly<Record<string, Readonly<Record<string, string>>>>;
const LOADING = translator(commonTexts)("loading");
/** The server has no such page there: tests/webapi/pages/test_live_site.py. */
const NO_SANDBOX = new Set(["cards", "a way to pay", "sandbox"]);
const MINUTES = { timeout: 600_000 };
const NOBODY = { roll: 0, yes: 0, no: 0, needed: 1 };
/** How an organisation is set up that lacks it. */
const LACKS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  contact: { config: { contactEmail: null } },
  chat: { config: { chatUrl: null } },
  cards: {
    config: { payments: { provider: "none", publishableKey: null }, ways: ["transfer"] },
    "GET /user/get-profile": aProfile({ way: "transfer", nextCharges: [] }),
  },
  "a way to pay": {
    config: { payments: { provider: "none", publishableKey: null }, ways: [] },
    "GET /user/get-profile": aProfile({ way: null, pledgeStatus: null, subscriptionAmount: 0, nextCharges: [] }),
  },
  sandbox: { config: { payments: { provider: "stripe", publishableKey: "pk_live_x" } } },
  votes: { "GET /user/get-proposals": [], "GET /user/get-proposals#open": [] },
  witnesses: { "GET /proofs/witnesses": { of: 0, seen: 0, newest: null } },
  samples: {
    ...withoutSamples("GET /projects", "GET /team", "GET /grants", "GET /user/get-proposals"),
    "GET /stats": { ...SITE_ANSWERS["GET /stats"], claims: [] },
  },
  voters: {
    "GET /user/get-proposals": SITE_ANSWERS["GET /user/get-proposals"].map((one) => ({ ...one, tally: { ...one.tally, ...NOBODY } })),
  },
};

/**
 * Three organisations lack all of it, in English; in full runs each lacks one thing, in each language.
 * That French names no more than English is held by catalogues.test.ts.
 */
const ORGANISATIONS =
  process.env["JARA_FULL"] === "1"
    ? Object.keys(LACKS).map((one) => [one])
    : [["contact", "samples", "cards", "witnesses"], ["votes", "a way to pay"], ["chat", "sandbox", "voters"]];

test.each(ORGANISATIONS.map((missing) => [missing.join(", "), missing] as const))("an organisation without %s says nothing of it", MINUTES, async (_, missing) => {
  const changes = missing.map((one) => LACKS[one] ?? {});
  const config = Object.assign({}, ...changes.map((one) => one["config"])) as object;
  const never = missing.map((one) => [one, new RegExp(ABSENT[one]?.[LANGUAGE] ?? "", "iu")] as const);
  const said: string[] = [];
  await visit({ ...Object.assign({}, ...changes), "GET /config": aConfig(config) } as object, async (address) => {
    const sought = never.filter(([one]) => !(NO_SANDBOX.has(one) && address.startsWith(paths.sandboxBilling)));
    const found = () => sought.map(([one, words]) => [one, wordsOf(words)] as const).filter(([, words]) => words !== "");
    // What stands there until the settings are read is not seen.
    await waitFor(() => expect(found()).toEqual([])).catch(() => said.push(...found().map(([one, words]) => `${one}: ${address}: ${words}`)));
  });
  expect(said).toEqual([]);
});

test("every missing thing is looked for", () => {
  expect(ORGANISATIONS.flat().toSorted()).toEqual(Object.keys(LACKS).toSorted());
});

test("a text that is not in the page's language is marked on every page", MINUTES, async () => {
  const said: string[] = [];
  await visit(inAnotherLanguage(ANSWERS) as object, (address) => {
    for (const element of document.querySelectorAll("main *")) {
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const isForeign = own.some(({ textContent }) => textContent?.includes(FOREIGN));
      if (isForeign && element.closest("[lang]")?.getAttribute("lang") !== "sw") said.push(`${address}: ${element.outerHTML.slice(0, 160)}`);
    }
  });
  expect(said).toEqual([]);
});

const FOREIGN = "Maneno yao";
const WRITTEN = new Set(["title", "summary", "description", "question", "answer", "role", "label", "completion", "project"]);

/** Answers whose documents are all written in a language that the site does not have. */
function inAnotherLanguage(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(inAnotherLanguage);
  if (typeof answer !== "object" || answer === null) return answer;
  const isText = (key: string, value: unknown) => "language" in answer && WRITTEN.has(key) && typeof value === "string";
  const parts = Object.entries(answer).map(([key, value]) => [key, isText(key, value) ? FOREIGN : inAnotherLanguage(value)]);
  return { ...Object.fromEntries(parts), ...("language" in answer ? { language: "sw" } : {}) };
}

/** Shows every page, to visitors and to a member, and looks at each. */
async function visit(answers: object, look: (address: string) => Promise<void> | void): Promise<void> {
  for (const [token, places] of [[null, PLACES], ["a.b.c", MEMBER_PLACES]] as const) {
    if (token !== null) localStorage.setItem("token", token);
    for (const address of places) {
      sessionStorage.clear();
      fakeApi({ ...ANSWERS, ...answers });
      renderApp(address);
      // oxlint-disable-next-line no-await-in-loop - one page at a time
      await waitFor(() => expect(document.querySelector("h1")).not.toBeNull());
      // oxlint-disable-next-line no-await-in-loop - its parts come one after the other
      await waitFor(() => expect(isLoading()).toBe(false));
      // oxlint-disable-next-line no-await-in-loop - one page at a time
      await look(address);
      cleanup();
      document.body.replaceChildren();
    }
  }
}

/** Whether a text is only that; looking through all elements takes long, so it is asked last. */
function isLoading(): boolean {
  return document.body.textContent.includes(LOADING) && screen.queryByText(LOADING) !== null;
}

/** What a page says, in its text or where its links lead. */
function wordsOf(never: RegExp): string {
  const links = [...document.querySelectorAll("a")].map(({ href }) => href);
  const text = [document.body.textContent, ...links].join(" ");
  const at = text.search(never);
  return at < 0 ? "" : text.slice(Math.max(0, at - 40), at + 60);
}

function withoutSamples(...calls: readonly (keyof typeof SITE_ANSWERS)[]) {
  return Object.fromEntries(
    calls.map((call) => [call, (SITE_ANSWERS[call] as readonly object[]).map((one) => ({ ...one, sample: false }))]),
  );
}
