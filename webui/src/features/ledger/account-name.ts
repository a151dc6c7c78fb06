import ledgerTexts from "@/messages/en/ledger.json";
import { accounts } from "@/books.json";
import { bookedText, folded } from "@/lib/text/booked";
import { translator } from "@/lib/text/messages";

const t = translator(ledgerTexts);

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(accounts).map(([account, title]) => [account, bookedText(title)]),
);

/** The accounts whose names contain a text. Nearly every payment has a fee, so fees are not among them. */
export function accountsNamed(text: string): string[] {
  return [...NAMES]
    .filter(([account, name]) => account !== "expenses:fees" && folded(name).includes(folded(text)))
    .map(([account]) => account);
}

/** Display name of an account: `expenses:projects:clean-water` becomes `Project: clean water`. */
export function accountName(account: string): string {
  const known = NAMES.get(account);
  if (known !== undefined) return known;
  const [, group, ...rest] = account.split(":");
  const words = (rest.at(-1) ?? group ?? account).replaceAll("-", " ");
  if (group === "projects") return t("account.project", { name: words });
  if (group === "grants") return t("account.grant", { name: words });
  return words.charAt(0).toUpperCase() + words.slice(1);
}
