import { appendFile } from "node:fs/promises";

const IS_SOAK = process.env["JARA_SOAK"] === "1";

/** The same seed in every ordinary run, so that a test fails for everybody or for nobody. */
export const SEED = process.env["JARA_SOAK_SEED"] ?? "7";

/** How often or how much: in every run, or in a soak (see tests/sizes.py). */
export function size(ordinary: number, long: number): number {
  return IS_SOAK ? long : ordinary;
}

/** Notes what a test saw, for the table of a soak. */
export async function saw(figures: Readonly<Record<string, number>>): Promise<void> {
  const file = process.env["JARA_SOAK_FIGURES"];
  if (file !== undefined) await appendFile(file, `${JSON.stringify(figures)}\n`);
}
