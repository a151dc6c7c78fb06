import bookedTexts from "@/messages/en/booked.json";
import { translator } from "./messages";

const t = translator(bookedTexts);

// What the server writes into the books itself, in English, by its name in the catalogue.
const WORDS = new Map(
  Object.entries({
    "Pledge payment": t("pledge"),
    "One-time gift": t("gift"),
    Refund: t("refund"),
    "Refund that failed": t("refund-failed"),
    "Disputed payment": t("dispute"),
    "Dispute won": t("dispute-won"),
    "Payment provider's fee": t("provider-fee"),
    "Payment processing fee": t("processing-fee"),
    "Payout to the bank": t("payout"),
    "Payout returned": t("payout-returned"),
    "Payout arrived in the bank": t("payout-arrived"),
    "Reserve at the payment provider": t("reserve"),
    "Top-up from the bank": t("topup"),
    "Movement to be clarified": t("unclear"),
    "Payment reversed by the bank": t("reversed"),
    "Payment returned by the payee": t("returned"),
    "The bank's charge": t("bank-charge"),
    "Grant received": t("grant"),
    "Opening balance": t("opening"),
    "Card fees": t("card-fees"),
    "Tax on card fees": t("fee-tax"),
    "Bank charges": t("bank-charges"),
    "Exchange differences": t("exchange"),
    Staff: t("staff"),
    Marketing: t("marketing"),
    Operations: t("operations"),
    "Moved to another fund": t("moved"),
    Expense: t("expense"),
    Salaries: t("salaries"),
    "Payment to a project": t("to-project"),
    "Payment of a grant": t("of-grant"),
    "Payment of a donation": t("of-donation"),
    "Payment to a payee": t("to-payee"),
    "Payment out of the bank": t("from-bank"),
    "Money held for a passed proposal": t("held"),
    "Money released from a proposal": t("released"),
    "Transfer between funds": t("between-funds"),
    Transfer: t("transfer"),
    "Movement between own accounts": t("own-accounts"),
    "Movement at the bank": t("at-bank"),
    Fee: t("fee"),
    "Entry by an operator": t("by-hand"),
  }),
);
const SAMPLE = " (sample)";

/** What the books call by other words than the reader's language, which has a text like this for it. */
export function wordsInBooks(searched: string): string[] {
  const wanted = folded(searched);
  const found = [...WORDS].filter(
    ([written, shown]) => folded(shown).includes(wanted) && !folded(written).includes(wanted),
  );
  const isSample = folded(t("sampled", { title: "" })).includes(wanted);
  return [...found.map(([written]) => written), ...(isSample ? [SAMPLE.trim()] : [])];
}

/** Lower case and without accents, as people type when they search. */
export function folded(words: string): string {
  return words.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase();
}

/** Words of the books in the reader's language; what people wrote stays as it is. */
export function bookedText(written: string): string {
  const known = WORDS.get(written);
  if (known !== undefined || !written.endsWith(SAMPLE)) return known ?? written;
  return t("sampled", { title: written.slice(0, -SAMPLE.length) });
}
