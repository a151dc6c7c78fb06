// Which form a link opens: that of a report, or that of a claim.

import type { FieldPage } from "@/api/schema";
import { ClaimForm } from "./claim-form";
import { ReportForm } from "./report-form";
import type { Report } from "./store";

export type Form = ReportForm | ClaimForm;

export function formOf(page: FieldPage, report: Report, keep: () => void, send: () => void): Form {
  return page.claims === null ? new ReportForm(page, report, keep, send) : new ClaimForm(page.claims, report, keep, send);
}
