import { FUNDS, type Fund } from "@/lib/models/config";

/**
 * Divides cents over the funds as the books do: the largest remainders get what rounding down
 * leaves, and of equal remainders the earlier fund gets the cent. The parts always add up.
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
