import type { PaymentByOtherWay } from "@/api/schema";

/** A way to pay beside the card; the operators set them up. */
export type OtherWay = PaymentByOtherWay["way"];

export type PayingWay = "card" | OtherWay;

export const OTHER_WAYS = ["transfer", "cash", "mobile", "cheque"] as const satisfies readonly OtherWay[];
