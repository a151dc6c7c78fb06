// The reports of a link that the organisation does not have yet: one in the form, the others in the list.

import { allLinks, allReports, areAlike } from "./store";
import type { ClaimDraft, Link, Report, ReportDraft } from "./store";

const BLANK: ReportDraft = {
  title: "",
  text: "",
  milestone: null,
  numbers: [],
  consent: null,
  latitude: null,
  longitude: null,
  writtenAt: null,
  photoPlace: null,
  showsPlace: false,
  values: {},
};

const BLANK_CLAIM: ClaimDraft = {
  currency: "",
  amount: "",
  spentOn: "",
  shop: "",
  purpose: "",
  repayTo: "",
  typed: { amount: "", cost: "" },
  isAsked: false,
};

/** What is on the phone, also by an earlier link of the partner, the newest first: drafts, and reports that wait for a network. */
export async function reportsOf(link: Link): Promise<readonly Report[]> {
  const alike = (await allLinks()).filter((one) => areAlike(one, link));
  const codes = new Set([link, ...alike].map(({ code }) => code));
  return (await allReports()).filter(({ code }) => codes.has(code));
}

/** The drafts alone; those that the server did not take have a problem. */
export async function draftsOf(link: Link): Promise<readonly Report[]> {
  return (await reportsOf(link)).filter(({ state }) => state === "draft");
}

/** The draft that was written last, or a blank one. */
export async function currentDraft(link: Link): Promise<Report> {
  const [last] = await draftsOf(link);
  return last ?? { key: crypto.randomUUID(), code: link.code, state: "draft", draft: link.page?.claims == null ? BLANK : BLANK_CLAIM, problem: "", at: Date.now() };
}
