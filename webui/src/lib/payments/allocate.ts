import { FUNDS, type Fund } from "@/lib/models/config";

/**
 * Divides cents over the funds like the books: the largest remainders get the cents that rounding
 * down leaves; on a tie the earlier fund does. The parts always add up.
 */
export function allocateCents(
  cents: number,
  weights: Readonly<Record<Fund, number>>,
): Record<Fund, number> {
  const total = FUNDS.reduce((sum, fund) => sum + weights[fund], 0);
  const parts = { projects: 0, staff: 0, marketing: 0, other: 0 };
  if (total <= 0) return parts;
  for (const fund of FUNDS) parts[fund] = Math.floor((cents * weights[fund]) / total);
  let missing = cents - FUNDS.reduce((sum, fund) => sum + parts[fund], 0);
  const remainder = (fund: Fund) => (cents * weights[fund]) % total;
  for (const fund of FUNDS.toSorted((left, right) => remainder(right) - remainder(left))) {
    if (missing === 0) break;
    parts[fund] += 1;
    missing -= 1;
  }
  return parts;
}
