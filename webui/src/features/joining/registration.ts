import type { Promise as Promised, Registration } from "@/api/schema";
import type { OtherWay } from "@/lib/models/other-ways";
import { LANGUAGE } from "@/lib/text/messages";
import { plainPledge } from "@/lib/payments/pledge-amount";
import type { JoinDraft } from "./join-draft";

/** The registration details of spec §3. */
export function registrationOf(
  draft: JoinDraft,
  password: string,
  paymentMethodId: string,
): Registration {
  return { ...detailsOf(draft, password), billingDay: draft.billingDay, paymentMethodId };
}

/** The registration details of a promise to pay without a card. */
export function promiseOf(draft: JoinDraft, password: string, way: OtherWay): Promised {
  return { ...detailsOf(draft, password), way };
}

function detailsOf(draft: JoinDraft, password: string) {
  return {
    firstname: draft.firstname.trim(),
    lastname: draft.lastname.trim(),
    email: draft.email.trim(),
    password,
    country: draft.country,
    notifications: draft.notifications,
    privacyPolicy: draft.privacyPolicy,
    contribution: plainPledge(draft.contribution),
    language: LANGUAGE,
  };
}
