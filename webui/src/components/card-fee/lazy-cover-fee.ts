import { lazyPart } from "@/components/lazy-part/lazy-part";

/** The offer to cover a pledge's card fee, from a chunk of its own: few look at it. */
export const CoverPledgeFee = lazyPart(async () => (await import("./cover-fee")).CoverPledgeFee);
