import type { SiteConfig } from "@/lib/models/config";

export type CardFee = SiteConfig["cardFee"];

const WHOLE = 10_000;

/** What the card company is expected to take; halves are rounded up. */
export function estimateFee(cents: number, { basisPoints, fixedCents }: CardFee): number {
  return Math.floor((cents * basisPoints + WHOLE / 2) / WHOLE) + fixedCents;
}

/** The smallest payment of which the whole gift is left after the fee. */
export function coverFee(giftCents: number, fee: CardFee): number {
  const isEnough = (cents: number) => cents - estimateFee(cents, fee) >= giftCents;
  let cents = Math.ceil(((giftCents + fee.fixedCents) * WHOLE) / (WHOLE - fee.basisPoints));
  // Rounding puts the quotient a cent off.
  while (isEnough(cents - 1)) cents -= 1;
  while (!isEnough(cents)) cents += 1;
  return cents;
}

/** The smallest pledge, in whole dollars, of which the other is left after the fee. */
export function coverPledge(dollars: number, fee: CardFee): number {
  return Math.ceil(coverFee(dollars * 100, fee) / 100);
}
