import { act, cleanup } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { aProject } from "@/testing/builders";
import { fakeApi, refusal } from "@/testing/fake-api";
import { aPassedProposal, aProposal } from "@/testing/proposals";
import { renderApp } from "@/testing/render-app";
import { SITE_ANSWERS } from "@/testing/site-answers";
import { aTrace } from "@/testing/trace";

const PROPOSALS = [aProposal(), aPassedProposal({ decidedAt: "2026-11-10T01:00:00Z" })];
const ANSWERS = {
  ...SITE_ANSWERS,
  "GET /events": [{ id: "call", title: "A call", date: "2026-12-01", language: "en" }],
  "GET /user/get-proposals": PROPOSALS,
  "GET /user/get-proposals#open": PROPOSALS,
  "GET /impact#years": { archive: [] },
  "GET /proofs/witnesses": { of: 0, seen: 0, newest: null, witnesses: [] },
  "GET /projects/clean-water-boreholes": aProject(),
  "GET /user/impact": aTrace(),
  "GET /user/impact?from=2026-01-01&to=2026-12-31": aTrace(),
};
const MEMBER_ROUTES = `
  / /ledger /dashboard /dashboard?tab=account /dashboard?tab=events /my-impact /my-impact/2026`;
const PUBLIC_ROUTES = `
  / /faqs /how-jara-works /projects /grants /donations /team /proposals /impact /ledger /donate`;

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

/** What is offered beside the page's own matter, and only where the settings have an address for it. */
const LEFT_OUT = new Set(["/grants GET /config", "/dashboard GET /config"]);
const MINUTE = { timeout: 60_000 };
const FAILED = '[role="alert"]';
const WAITING = '[role="status"], .waiting, .awaited';

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

test.each(words(PUBLIC_ROUTES))("%s calls nothing empty that it does not know", MINUTE, async (address) => {
  await expectUnknownIsSaid(address);
});

test.each(words(MEMBER_ROUTES))("%s of a member calls nothing empty that it does not know", MINUTE, async (address) => {
  localStorage.setItem("token", "a.b.c");
  await expectUnknownIsSaid(address);
});

async function expectUnknownIsSaid(address: string) {
  vi.setSystemTime(new Date("2026-11-20T12:00:00Z"));
  const answers: Record<string, unknown> = ANSWERS;
  await textOf(address, answers, () => true); // loads the parts of the page that come later
  const { text: whole, calls } = await textOf(address, answers, () => true);
  const wrong: string[] = [];
  for (const call of new Set(calls.map(withoutPart))) {
    for (const [how, answer] of [["fails", refusal(500, "No.")], ["is slow", never]] as const) {
      const changed = Object.keys(answers).filter((one) => withoutPart(one) === call);
      const failing = Object.fromEntries([call, ...changed].map((one) => [one, answer]));
      const isSaid = (text: string) =>
        LEFT_OUT.has(`${address} ${call}`) ||
        document.querySelector(how === "fails" ? FAILED : WAITING) !== null ||
        text.length > (how === "fails" ? whole.length - 40 : whole.length / 2);
      // oxlint-disable-next-line no-await-in-loop - one page at a time
      const { text, isMet } = await textOf(address, { ...answers, ...failing }, isSaid);
      const said = EMPTY.filter((one) => text.includes(one) && !whole.includes(one));
      if (said.length > 0) wrong.push(`${call} ${how}: ${said.join(" | ")}`);
      if (!isMet) wrong.push(`${call} ${how}: what is missing is not said (${text.length} of ${whole.length})`);
    }
  }
  expect(wrong).toEqual([]);
}

/** The text of a page once its parts and answers are there, and whether that meets a condition. */
async function textOf(address: string, answers: Record<string, unknown>, condition: (text: string) => boolean) {
  const api = fakeApi(answers);
  renderApp(address);
  let [text, same] = ["", 0];
  while (same < 3) {
    // oxlint-disable-next-line no-await-in-loop - a part that has come may ask for the next
    await act(() => vi.dynamicImportSettled());
    const now = document.querySelector("main")?.textContent ?? document.body.textContent;
    same = now === text && now.trim() !== "" ? same + 1 : 0;
    text = now;
  }
  const isMet = condition(text);
  cleanup();
  document.body.replaceChildren();
  const calls = api.calls.filter(({ method }) => method === "GET").map(({ path }) => `GET ${path}`);
  return { text, isMet, calls };
}

/** A call without the part of its answer that a page reads; the server does not see it. */
function withoutPart(call: string): string {
  return call.split("#")[0] ?? call;
}

function never() {
  return new Promise<Response>(() => {});
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
