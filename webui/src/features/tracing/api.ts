import type { SamplePayment, TracedPayment } from "@/api/schema";

/** What somebody's dollars paid; of a payment abroad also the whole of it. */
export type Paid = SamplePayment & Partial<Pick<TracedPayment, "wholeCents" | "foreign">>;
