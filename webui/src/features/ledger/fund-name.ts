import ledgerTexts from "@/messages/en/ledger.json";
import { translator } from "@/lib/text/messages";

const t = translator(ledgerTexts);

const FUND_NAMES: Readonly<Record<string, string>> = {
  projects: t("fund.projects"),
  staff: t("fund.staff"),
  marketing: t("fund.marketing"),
  other: t("fund.other"),
  committed: t("fund.committed"),
};

/** Display name of a fund; unknown funds keep their own. */
export function fundName(fund: string): string {
  return FUND_NAMES[fund] ?? fund;
}
