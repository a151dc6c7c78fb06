/** The day of the month on which a pledge is charged: the day of joining, the 1st or the 28th. */
export type BillingDay = "current" | "1" | "28";

export const BILLING_DAYS: readonly BillingDay[] = ["current", "1", "28"];

/** The first two charges of a pledge, as dates; the right to vote begins with the first. */
export type Charges = { readonly first: string; readonly next: string };

/** The first charges of a pledge that starts today, by the server's rule. */
export function chargesFrom(today: string, choice: BillingDay): Charges {
  const [year, month, day] = parts(today);
  if (choice === "current") return { first: today, next: dateOf(year, month + 1, day) };
  const wanted = Number(choice);
  const offset = wanted < day ? 1 : 0;
  return {
    first: dateOf(year, month + offset, wanted),
    next: dateOf(year, month + offset + 1, wanted),
  };
}

export function dayOfMonth(iso: string): number {
  return parts(iso)[2];
}

// Short months charge on their last day.
function dateOf(year: number, month: number, day: number): string {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1, Math.min(day, last))).toISOString().slice(0, 10);
}

function parts(iso: string): [number, number, number] {
  const [year = 1970, month = 1, day = 1] = iso.slice(0, 10).split("-").map(Number);
  return [year, month, day];
}
