import { screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { fakeApi } from "@/testing/fake-api";
import { aMemberBudget } from "@/testing/ledger";
import { renderApp } from "@/testing/render-app";
import { SITE_ANSWERS } from "@/testing/site-answers";
import type * as messages from "@/lib/text/messages";

// Every message is wrapped in these marks, so hard-coded text is detected.
const [OPEN, CLOSE] = ["⟦", "⟧"];
const MARKED = /⟦[^⟦⟧]*⟧/g;

vi.mock("@/lib/text/messages", async (original) => {
  const real = await original<typeof messages>();
  return {
    ...real,
    translator: (catalogue: Readonly<Record<string, string>>) => {
      const t = real.translator(catalogue);
      return (key: string, values?: Record<string, string | number>) => `⟦${t(key, values)}⟧`;
    },
    rich: (text: string, elements: Record<string, (inner: string) => ReactNode>) => {
      const inside = text.replaceAll(/[⟦⟧]/g, "").split(/(<(\w+)>.*?<\/\2>)/);
      return inside.map((part, index) => {
        if (index % 3 === 2) return null;
        return index % 3 === 0 ? `⟦${part}⟧` : real.rich(part, marked(elements));
      });
    },
  };
});

function marked(elements: Record<string, (inner: string) => ReactNode>) {
  return Object.fromEntries(
    Object.entries(elements).map(([tag, render]) => [
      tag,
      (inner: string) => render(`${OPEN}${inner}${CLOSE}`),
    ]),
  );
}

// Words that Intl makes of numbers and dates, punctuation, and each language in its own words.
const MADE =
  /\b(?:Jara|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October|November|December|\w+day|USD|X|MM|YY|English|Français)\b/gu;

const PLACES = `
  / /share /why-jara-exists /how-jara-works /team /faqs /projects /projects/clean-water-boreholes
  /grants /donations /impact /ledger /login /join /donate /proposals /payment-success?amount=25
  /reset-password /reset-password?code=a /reset-password?first=1&code=a /confirm-address?code=a /agree-address?code=a /undo-change?code=a /stop-pledge?code=a /newsletter/confirm?code=a /newsletter/confirm
  /newsletter/unsubscribe?code=a /partners/confirm?code=a /accessibility /emails?code=a /check-vote /sandbox/billing /my-impact /no-such-page`;
const MEMBER_PLACES = `
  / /dashboard /dashboard?tab=account /dashboard?tab=events /ledger /proposals /sandbox/billing`;

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal("PublicKeyCredential", Object);
});

test.each(PLACES.trim().split(/\s+/))("%s shows only messages and data, to a visitor", async (address) => {
  fakeApi(SITE_ANSWERS);
  renderApp(address);
  await everyTextIsAMessage();
});

test.each(MEMBER_PLACES.trim().split(/\s+/))("%s shows only messages and data, to a member", async (address) => {
  localStorage.setItem("token", "a.b.c");
  fakeApi({ ...SITE_ANSWERS, "GET /ledger/budget": aMemberBudget() });
  renderApp(address);
  await everyTextIsAMessage();
});

async function everyTextIsAMessage() {
  await waitFor(() => expect(document.querySelector("h1")).not.toBeNull());
  await waitFor(() => expect(screen.queryByText(`${OPEN}Loading${CLOSE}`)).toBeNull());
  expect(textsOfThePage().filter((text) => !isMessage(text))).toEqual([]);
}

/** The visible and accessible texts of the page. */
function textsOfThePage(): string[] {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() !== null) {
    const { parentElement } = walker.currentNode;
    if (parentElement?.closest("script, style, output, code, svg") !== null) continue;
    texts.push(walker.currentNode.textContent ?? "");
  }
  for (const name of ["aria-label", "aria-valuetext", "placeholder", "title", "alt"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      texts.push(element.getAttribute(name) ?? "");
    }
  }
  return texts;
}

/** Whether a text consists of messages, server data, numbers and dates. */
function isMessage(text: string): boolean {
  let rest = text;
  while (rest.search(MARKED) >= 0) rest = rest.replaceAll(MARKED, " ");
  if (SAID.some((said) => said.includes(rest.trim())) || COUNTRIES.has(rest.trim())) return true;
  for (const said of SAID) if (said.length > 3) rest = rest.replaceAll(said, " ");
  return !/\p{L}{2}/u.test(rest.replaceAll(MADE, " "));
}

const SAID = strings([SITE_ANSWERS])
  .map((said) => said.replaceAll(/<[^>]+>/g, "\n"))
  .toSorted((one, other) => other.length - one.length);
const names = new Intl.DisplayNames("en", { type: "region" });
const COUNTRIES = new Set(
  SAID.filter((said) => /^[A-Z]{2}$/.test(said)).map((code) => names.of(code)),
);

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}
