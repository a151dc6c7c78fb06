import type { EntryPage } from "@/api/schema";

/** Entries that move money between the organisation's own accounts; nobody gave or received it. */
export const OWN_KINDS: ReadonlySet<string> = new Set<EntryPage["kind"]>([
  "payout",
  "payout_arrived",
  "payout_reversal",
  "reserve",
  "topup",
  "commitment",
  "release",
]);
