import { lazy, type ComponentType } from "react";
import { paths } from "@/lib/page/paths";
import { HomePage } from "./routes/home";

export type SiteRoute = {
  readonly path: string;
  /** "site" pages have the header and footer; "bare" pages do not. */
  readonly frame: "site" | "bare";
  readonly Page: ComponentType;
  /** The file of its chunk; null when it is part of the main chunk. */
  readonly file: string | null;
};

/** Every page: one file and one chunk each, except that the home page is in the main chunk. */
export const siteRoutes: readonly SiteRoute[] = [
  { path: paths.home, frame: "site", Page: HomePage, file: null },
  site(paths.share, "share", async () => (await import("./routes/share")).SharePage),
  site(
    paths.about,
    "why-jara-exists",
    async () => (await import("./routes/why-jara-exists")).AboutPage,
  ),
  site(paths.how, "how-jara-works", async () => (await import("./routes/how-jara-works")).HowPage),
  site(paths.team, "team", async () => (await import("./routes/team")).TeamPage),
  site(paths.faqs, "faqs", async () => (await import("./routes/faqs")).FaqsPage),
  site(paths.projects, "projects", async () => (await import("./routes/projects")).ProjectsPage),
  site(paths.grants, "grants", async () => (await import("./routes/grants")).GrantsPage),
  site(paths.projectPattern, "project", async () => (await import("./routes/project")).ProjectPage),
  site(
    paths.donations,
    "donations",
    async () => (await import("./routes/donations")).DonationsPage,
  ),
  site(paths.impact, "impact", async () => (await import("./routes/impact")).ImpactPage),
  site(
    paths.paymentSuccess,
    "payment-success",
    async () => (await import("./routes/payment-success")).PaymentSuccessPage,
  ),
  site(paths.ledger, "ledger", async () => (await import("./routes/ledger")).LedgerPage),
  site(paths.entryPattern, "entry", async () => (await import("./routes/entry")).EntryPage),
  site(paths.follow, "follow", async () => (await import("./routes/follow")).FollowPage),
  site(
    paths.proposals,
    "proposals",
    async () => (await import("./routes/proposals")).ProposalsPage,
  ),
  site(
    paths.proposalPattern,
    "proposal",
    async () => (await import("./routes/proposal")).ProposalPage,
  ),
  site(paths.myImpact, "my-impact", async () => (await import("./routes/my-impact")).MyImpactPage),
  site(paths.myYearPattern, "my-year", async () => (await import("./routes/my-year")).MyYearPage),
  site(
    paths.checkVote,
    "check-vote",
    async () => (await import("./routes/check-vote")).CheckVotePage,
  ),
  site(paths.terms, "terms", async () => (await import("./routes/terms")).TermsPage),
  site(paths.privacy, "privacy", async () => (await import("./routes/privacy")).PrivacyPage),
  site(
    paths.accessibility,
    "accessibility",
    async () => (await import("./routes/accessibility")).AccessibilityPage,
  ),
  site(
    paths.newsletterConfirm,
    "newsletter-confirm",
    async () => (await import("./routes/newsletter-confirm")).NewsletterConfirmPage,
  ),
  site(
    paths.newsletterUnsubscribe,
    "newsletter-unsubscribe",
    async () => (await import("./routes/newsletter-unsubscribe")).NewsletterUnsubscribePage,
  ),
  site(
    paths.partnerConfirm,
    "partner-confirm",
    async () => (await import("./routes/partner-confirm")).PartnerConfirmPage,
  ),
  site(paths.emails, "emails", async () => (await import("./routes/emails")).EmailsPage),
  site(
    paths.confirmAddress,
    "confirm-address",
    async () => (await import("./routes/confirm-address")).ConfirmAddressPage,
  ),
  site(
    paths.agreeAddress,
    "agree-address",
    async () => (await import("./routes/agree-address")).AgreeAddressPage,
  ),
  site(
    paths.undoChange,
    "undo-change",
    async () => (await import("./routes/undo-change")).UndoChangePage,
  ),
  site(
    paths.stopPledge,
    "stop-pledge",
    async () => (await import("./routes/stop-pledge")).StopPledgePage,
  ),
  bare(paths.login, "login", async () => (await import("./routes/login")).LoginPage),
  bare(paths.join, "join", async () => (await import("./routes/join")).JoinPage),
  bare(
    paths.dashboard,
    "dashboard",
    async () => (await import("./routes/dashboard")).DashboardPage,
  ),
  bare(
    paths.resetPassword,
    "reset-password",
    async () => (await import("./routes/reset-password")).ResetPasswordPage,
  ),
  site(paths.donate, "donate", async () => (await import("./routes/donate")).DonatePage),
  site(
    paths.sandboxBilling,
    "sandbox-billing",
    async () => (await import("./routes/sandbox-billing")).SandboxBillingPage,
  ),
  site("*", "not-found", async () => (await import("./routes/not-found")).NotFoundPage),
];

function site(path: string, name: string, load: () => Promise<ComponentType>): SiteRoute {
  return route("site", path, name, load);
}

function bare(path: string, name: string, load: () => Promise<ComponentType>): SiteRoute {
  return route("bare", path, name, load);
}

function route(
  frame: "site" | "bare",
  path: string,
  name: string,
  load: () => Promise<ComponentType>,
): SiteRoute {
  return {
    path,
    frame,
    Page: lazy(async () => ({ default: await load() })),
    file: `src/app/routes/${name}.tsx`,
  };
}
