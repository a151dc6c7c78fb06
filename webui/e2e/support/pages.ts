import { paths } from "@/lib/page/paths";
import type { Organisation } from "./organisation.ts";
import type { Visit } from "./visit.ts";

const CHECK = "/user/reset-password/check";

/** Every public page, by screenshot name. */
export const PUBLIC_PAGES = {
  home: "/",
  about: "/why-jara-exists",
  "how-jara-works": "/how-jara-works",
  team: "/team",
  faqs: "/faqs",
  projects: "/projects",
  project: "/projects/clean-water-boreholes",
  grants: "/grants",
  donations: "/donations",
  impact: "/impact",
  proposals: "/proposals",
  proposal: "/proposals/beekeeping-kits-for-24-farming-families",
  "ledger-visitor": "/ledger",
  login: "/login",
  join: "/join",
  donate: "/donate",
  follow: "/follow",
  share: "/share",
  "payment-success": "/payment-success?amount=25",
  "reset-password": "/reset-password",
  "reset-password-code": "/reset-password?code=abc",
  "newsletter-confirm": "/newsletter/confirm?code=abc",
  "newsletter-unsubscribe": "/newsletter/unsubscribe?code=abc",
  "partner-confirm": "/partners/confirm?code=abc",
  "confirm-address": "/confirm-address?code=abc",
  "agree-address": "/agree-address?code=abc",
  "undo-change": "/undo-change?code=abc",
  "stop-pledge": "/stop-pledge?code=abc",
  "check-vote": "/check-vote",
  "sandbox-billing-visitor": "/sandbox/billing",
  "my-impact-visitor": "/my-impact",
  emails: "/emails",
  accessibility: "/accessibility",
  terms: "/terms",
  privacy: "/privacy",
} as const;

/** Every page for members, by screenshot name. */
export const MEMBER_PAGES = {
  "home-member": "/",
  dashboard: "/dashboard",
  account: "/dashboard?tab=account",
  events: "/dashboard?tab=events",
  "proposals-member": "/proposals",
  ledger: "/ledger",
  "my-impact": "/my-impact",
  year: `/my-impact/${new Date().getUTCFullYear()}`,
  "impact-member": "/impact",
  "sandbox-billing": "/sandbox/billing",
} as const;

/** Pages of one thing; `addressOf` fills in the id. */
const PAGES_OF_ONE = { entry: paths.entryPattern, "my-year": "/my-impact/2026" } as const;

/** The addresses of all public pages: those above, and what the site's list of routes has beside them. */
export function everyAddress(): readonly string[] {
  const examples: readonly string[] = [PUBLIC_PAGES, PAGES_OF_ONE].flatMap((pages) => Object.values(pages));
  const routes = Object.values(paths)
    .filter((path): path is Extract<typeof path, string> => typeof path === "string")
    .filter((path) => !path.startsWith("/api/"));
  const without: readonly string[] = routes.filter((route) => {
    const shape = new RegExp(`^${route.replaceAll(/[?#].*$/g, "").replaceAll(/:[a-z]+/g, "[^/]+")}(?:$|[?#])`);
    return !examples.some((address) => shape.test(address));
  });
  const unknown = without.filter((route) => route.includes(":"));
  if (unknown.length > 0) throw new Error(`PUBLIC_PAGES needs an example of ${unknown.join(" and ")}.`);
  return [...examples, ...without];
}

/** Opens a page of `everyAddress` and waits until it says what it will. */
export async function openPage(visit: Visit, site: Organisation, address: string): Promise<void> {
  const isCode = address === PUBLIC_PAGES["reset-password-code"];
  if (isCode) visit.expectRefusal(422, CHECK);
  const checked = isCode ? visit.page.waitForResponse(`**${CHECK}`) : null;
  await visit.go(await addressOf(site, address));
  await checked;
}

/** An address with the id of an entry, if it asks for one. */
export async function addressOf(site: Organisation, address: string): Promise<string> {
  if (!address.includes(":id")) return address;
  const register = await site.jara("ledger", "register", "income:pledges", "--json");
  const { entries } = JSON.parse(register) as { entries: { id: string }[] };
  return address.replace(":id", entries[0]?.id ?? "");
}
