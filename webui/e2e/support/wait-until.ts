import { vi } from "vitest";

/** Retries until the expectations hold. */
export async function until(expectations: () => Promise<void> | void): Promise<void> {
  await vi.waitFor(expectations, { timeout: 30_000, interval: 50 });
}
