import { cleanup, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { aConfig } from "@/testing/builders";
import { fakeApi } from "@/testing/fake-api";
import { aMemberBudget } from "@/testing/ledger";
import { aPayment, aProfile } from "@/testing/member";
import { renderApp } from "@/testing/render-app";
import { SITE_ANSWERS } from "@/testing/site-answers";
import { aTrace } from "@/testing/trace";

const ANSWERS = {
  ...SITE_ANSWERS,
  "GET /events": [],
  "GET /user/get-profile": aProfile(),
  "GET /user/payment": aPayment(),
  "GET /user/impact": aTrace(),
  "GET /ledger/budget": aMemberBudget(),
  "POST /emails/choice": { email: "a@b.c", isMember: true, choice: "monthly" },
};
const PLACES = `
  / /why-jara-exists /how-jara-works /team /faqs /projects /grants /donations /impact /ledger /login /join /donate
  /proposals /accessibility /emails?code=a /check-vote /stop-pledge?code=a /no-such-page`.trim().split(/\s+/);
const MEMBER_PLACES = ["/", "/dashboard", "/dashboard?tab=account", "/dashboard?tab=events", "/ledger", "/my-impact"];

/** What no page may say, by what an organisation has. */
const CONFIGURATIONS: Readonly<Record<string, readonly [changes: Readonly<Record<string, unknown>>, never: RegExp]>> = {
  "without a contact": [{ config: { contactEmail: null } }, /write to us|contact support|contact our team/i],
  "without a chat": [{ config: { chatUrl: null } }, /chat\.example/],
  "without cards": [
    {
      config: { payments: { provider: "none", publishableKey: null }, ways: ["transfer"] },
      "GET /user/get-profile": aProfile({ way: "transfer", nextCharges: [] }),
    },
    /\b(?:cards?|stripe)\b/i,
  ],
  "live, with Stripe": [{ config: { payments: { provider: "stripe", publishableKey: "pk_live_x" } } }, /test card|sandbox|no card is charged/i],
  "without votes": [{ "GET /user/get-proposals": [], "GET /user/get-proposals#open": [] }, /vote in progress|cast vote|yes votes still needed/i],
  "without witnesses": [{ "GET /proofs/witnesses": { of: 0, seen: 0, newest: null } }, /witnesses? (?:has|have) seen/i],
  "without samples": [
    { ...withoutSamples("GET /projects", "GET /team", "GET /grants", "GET /user/get-proposals"), "GET /stats": { ...SITE_ANSWERS["GET /stats"], claims: [] } },
    /sample data/i,
  ],
  "with nobody on the roll": [
    { "GET /user/get-proposals": SITE_ANSWERS["GET /user/get-proposals"].map((one) => ({ ...one, tally: { ...one.tally, roll: 0, yes: 0, no: 0, needed: 1 } })) },
    /\b1 more yes vote|yes votes still needed|of 0\b/i,
  ],
};

test.each(Object.entries(CONFIGURATIONS))("an organisation %s says nothing of it", { timeout: 60_000 }, async (_, [changes, never]) => {
  const { config = {}, ...others } = changes as { readonly config?: object };
  const said: string[] = [];
  for (const [token, places] of [[null, PLACES], ["a.b.c", MEMBER_PLACES]] as const) {
    if (token !== null) localStorage.setItem("token", token);
    for (const address of places) {
      sessionStorage.clear();
      fakeApi({ ...ANSWERS, "GET /config": aConfig(config), ...others });
      renderApp(address);
      // oxlint-disable-next-line no-await-in-loop - one page at a time
      await waitFor(() => expect(document.querySelector("h1")).not.toBeNull());
      // oxlint-disable-next-line no-await-in-loop - its parts come one after the other
      await waitFor(() => expect(screen.queryByText("Loading")).toBeNull());
      // What stands there until the settings are read is not seen.
      // oxlint-disable-next-line no-await-in-loop - its parts come one after the other
      await waitFor(() => expect(found(never)).toBe("")).catch(() => said.push(`${address}: ${found(never)}`));
      cleanup();
      document.body.replaceChildren();
    }
  }
  expect(said).toEqual([]);
});

/** What a page says, in its text or where its links lead. */
function found(never: RegExp): string {
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
