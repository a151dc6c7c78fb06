/** Every address of the site. Nothing else in the code spells one out. */
export const paths = {
  home: "/",
  login: "/login",
  join: "/join",
  dashboard: "/dashboard",
  account: "/dashboard?tab=account",
  events: "/dashboard?tab=events",
  team: "/team",
  ledger: "/ledger",
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
  myImpact: "/my-impact",
  checkVote: "/check-vote",
  terms: "/terms",
  privacy: "/privacy",
  resetPassword: "/reset-password",
  newsletterConfirm: "/newsletter/confirm",
  newsletterUnsubscribe: "/newsletter/unsubscribe",
  sandboxBilling: "/sandbox/billing",
} as const;

/** Where the build writes the drawings; the folder is named by what is in it. */
export const ART: string = import.meta.env.JARA_ART;

export function artPath(name: string): string {
  return `${ART}/${name}.svg`;
}

/** An address that opens the reader's mail program. */
export function mailPath(address: string, subject?: string): string {
  return `mailto:${address}${subject === undefined ? "" : `?subject=${encodeURIComponent(subject)}`}`;
}
