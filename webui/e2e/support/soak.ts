import { appendFile } from "node:fs/promises";

const IS_SOAK = process.env["JARA_SOAK"] === "1";
export const IS_FULL = process.env["JARA_FULL"] === "1";

/** Fixed in ordinary runs, so that results are reproducible. */
export const SEED = process.env["JARA_SOAK_SEED"] ?? "7";

/** A size for ordinary, full and soak runs (see tests/sizes.py). */
export function size(ordinary: number, long: number, full = ordinary): number {
  if (IS_SOAK) return long;
  return IS_FULL ? full : ordinary;
}

/** Records a figure for the soak report. */
export async function saw(figures: Readonly<Record<string, number>>): Promise<void> {
  const file = process.env["JARA_SOAK_FIGURES"];
  if (file !== undefined) await appendFile(file, `${JSON.stringify(figures)}\n`);
}
