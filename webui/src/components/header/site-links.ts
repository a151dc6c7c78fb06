import commonTexts from "@/messages/en/common.json";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";

const t = translator(commonTexts);

type SiteLink = { readonly to: string; readonly label: string; readonly note: string };
export type LinkGroup = { readonly title: string; readonly links: readonly SiteLink[] };

/** The two menus of the header; the drawer and the footer list the same. */
export const aboutGroup: LinkGroup = {
  title: t("nav.about"),
  links: [
    { to: paths.about, label: t("nav.about-jara"), note: t("nav.about-jara-note") },
    { to: paths.team, label: t("nav.team"), note: t("nav.team-note") },
    { to: paths.why, label: t("nav.why"), note: t("nav.why-note") },
  ],
};

export const impactGroup: LinkGroup = {
  title: t("nav.impact"),
  links: [
    { to: paths.projects, label: t("nav.projects"), note: t("nav.projects-note") },
    { to: paths.donations, label: t("nav.donations"), note: t("nav.donations-note") },
    { to: paths.impact, label: t("nav.report"), note: t("nav.report-note") },
  ],
};
