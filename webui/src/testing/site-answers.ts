import { aConfig, aFaq, aGrant, aProject, aTeamMember, publicAnswers } from "./builders";
import { someEmailKinds } from "./email-kinds";
import { aBudget, aSalary, aTransaction } from "./ledger";
import { aProfile } from "./member";
import { aPassedProposal, aProposal } from "./proposals";
import { anImpactReport } from "./reports";

/** What the API answers on a site where there is something of everything. */
export const SITE_ANSWERS = {
  ...publicAnswers(),
  "GET /config": aConfig({ donateUrl: "https://give.example" }),
  "GET /projects": [aProject(), aProject({ id: "b", slug: "b", sample: true })],
  "GET /team": [aTeamMember(), aTeamMember({ id: "b", group: "operations", sample: true })],
  "GET /faqs": [aFaq(), aFaq({ id: "b", question: "Who decides?", onHome: false })],
  "GET /grants": [aGrant({ sample: true })],
  "GET /countries": [{ name: "Canada", isoCode: "CA" }],
  "GET /regions": [{ id: "a", name: "Africa", status: "Active" }],
  "GET /emails": someEmailKinds(),
  "POST /emails/choice": { email: "a@b.c", isMember: true, choice: "monthly" },
  "GET /user/get-proposals": [aProposal({ sample: true }), aPassedProposal()],
  "GET /user/get-profile": aProfile(),
  "GET /ledger/budget": aBudget(),
  "GET /ledger/transactions?limit=12": { items: [aTransaction(), aSalary()], next: "x" },
  "GET /user/contributions": [],
  "GET /user/passkeys": [{ id: "p", name: "My phone", addedOn: "2026-11-20" }],
  "GET /user/sessions": [
    { id: "a", device: "Firefox on Windows", lastUsedOn: "2026-11-20", current: true },
    { id: "b", device: "Safari on iPhone", lastUsedOn: "2026-11-02", current: false },
  ],
  "GET /impact": anImpactReport({ driftNote: "Staff cost more." }),
};
