import ledgerTexts from "@/messages/en/ledger.json";
import { folded } from "@/lib/text/booked";
import { translator } from "@/lib/text/messages";

const t = translator(ledgerTexts);

const NAMES = {
  "income:pledges": t("account.pledges"),
  "income:gifts": t("account.gifts"),
  "income:grants": t("account.grants"),
  "expenses:fees": t("account.fees"),
  "expenses:fees:bank": t("account.bank-fees"),
  "expenses:staff": t("account.staff"),
  "expenses:marketing": t("account.marketing"),
  "expenses:operations": t("account.operations"),
} as const;

/** The accounts whose names contain a text. Nearly every payment has a fee, so fees are not among them. */
export function accountsNamed(text: string): string[] {
  return Object.entries(NAMES)
    .filter(([account, name]) => account !== "expenses:fees" && folded(name).includes(folded(text)))
    .map(([account]) => account);
}

/** Display name of an account: `expenses:projects:clean-water` becomes `Project: clean water`. */
export function accountName(account: string): string {
  if (account in NAMES) return NAMES[account as keyof typeof NAMES];
  const [, group, ...rest] = account.split(":");
  const words = (rest.at(-1) ?? group ?? account).replaceAll("-", " ");
  if (group === "projects") return t("account.project", { name: words });
  if (group === "grants") return t("account.grant", { name: words });
  return words.charAt(0).toUpperCase() + words.slice(1);
}
