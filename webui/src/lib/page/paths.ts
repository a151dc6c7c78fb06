/** Every address of the site; other code never spells one out. */
export const paths = {
  home: "/",
  login: "/login",
  join: "/join",
  dashboard: "/dashboard",
  account: "/dashboard?tab=account",
  events: "/dashboard?tab=events",
  team: "/team",
  ledger: "/ledger",
  entry: (id: string) => `/ledger/entries/${encodeURIComponent(id)}`,
  entryPattern: "/ledger/entries/:id",
  follow: "/follow",
  donations: "/donations",
  projects: "/projects",
  project: (slug: string) => `/projects/${encodeURIComponent(slug)}`,
  projectPattern: "/projects/:slug",
  grants: "/grants",
  about: "/why-jara-exists",
  why: "/why-jara-exists#why",
  how: "/how-jara-works",
  proposals: "/proposals",
  proposal: (slug: string) => `/proposals/${encodeURIComponent(slug)}`,
  proposalPattern: "/proposals/:slug",
  paymentSuccess: "/payment-success",
  donate: "/donate",
  share: "/share",
  faqs: "/faqs",
  impact: "/impact",
  payouts: "/impact?period=all#payouts",
  myImpact: "/my-impact",
  myYear: (year: string) => `/my-impact/${year}`,
  myYearPattern: "/my-impact/:year",
  checkVote: "/check-vote",
  terms: "/terms",
  privacy: "/privacy",
  accessibility: "/accessibility",
  resetPassword: "/reset-password",
  confirmAddress: "/confirm-address",
  agreeAddress: "/agree-address",
  undoChange: "/undo-change",
  stopPledge: "/stop-pledge",
  newsletterConfirm: "/newsletter/confirm",
  newsletterUnsubscribe: "/newsletter/unsubscribe",
  partnerConfirm: "/partners/confirm",
  emails: "/emails",
  sandboxBilling: "/sandbox/billing",
  feed: `/api/feed.xml?lang=${import.meta.env.JARA_LANGUAGE}`,
  calendar: `/api/votes.ics?lang=${import.meta.env.JARA_LANGUAGE}`,
} as const;

/** Folder of the drawings, named by a hash of their content. */
export const ART: string = import.meta.env.JARA_ART;

export function artPath(name: string): string {
  return `${ART}/${name}.svg`;
}

/** Whether a picture is one of the site's drawings, which stand where no photo was uploaded. */
export function isOfSite(address: string): boolean {
  return address.startsWith(`${ART}/`);
}

/** Whether a picture is drawn: by the site, or for the sample content. */
export function isDrawn(address: string): boolean {
  return isOfSite(address) || address.startsWith("/samples/");
}

/** A mailto address. */
export function mailPath(address: string, subject?: string): string {
  return `mailto:${address}${subject === undefined ? "" : `?subject=${encodeURIComponent(subject)}`}`;
}
