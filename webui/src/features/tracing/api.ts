import type { SamplePayment, TracePayment } from "@/api/schema";

/** What somebody's dollars paid; of a payment abroad also the whole of it. */
export type Paid = SamplePayment & Partial<Pick<TracePayment, "entry" | "wholeCents" | "foreign">>;
