import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkLog, type LogState } from "../src/features/receipts/check-log.ts";
import { checkReceipt, isGood } from "../src/features/receipts/check-receipt.ts";
import type { Receipt } from "../src/api/schema.ts";
import { environment } from "./support/jara.ts";
import { saw, SEED, size } from "./support/soak.ts";

// The website's own check and the stand-alone verifier, two programs in two languages, judge
// the same random logs (tests/verifier/random_logs.py) and must say the same of each.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LOGS = size(12, 1000, 60);
const MINUTES = size(4, 60);

type Judged = { readonly receipt: Receipt; readonly holds: boolean };
type Tampering = {
  readonly what: string;
  readonly lines: string;
  readonly holds: boolean;
  readonly firstBad: number;
};
type Log = {
  readonly lines: string;
  readonly states: readonly LogState[];
  readonly head: { size: number; root: string; checkpoint: string; key: string };
  readonly consistency: readonly string[];
  readonly olderHolds: boolean;
  readonly receipts: readonly Judged[];
  readonly tamperings: readonly Tampering[];
};

test("both verifiers agree on every log", { timeout: MINUTES * 60_000 }, async () => {
  let [logs, receipts, tamperings] = [0, 0, 0];
  for await (const line of randomLogs()) {
    const log = JSON.parse(line) as Log;
    expect(await checkLog(log.lines, log.states), `log ${logs}`).toMatchObject({ holds: true });
    expect(log.olderHolds, `log ${logs} against an older checkpoint`).toBe(true);
    for (const { receipt, holds } of log.receipts) {
      expect(await isReceiptGood(receipt, log), `${logs}: ${JSON.stringify(receipt)}`).toBe(holds);
    }
    for (const { what, lines, holds, firstBad } of log.tamperings) {
      const found = await checkLog(lines, log.states);
      expect(found, `log ${logs}, ${what}`).toEqual({ holds, firstBad });
    }
    logs += 1;
    receipts += log.receipts.length;
    tamperings += log.tamperings.length;
  }
  expect(logs).toBe(LOGS);
  await saw({ logs, receipts, tamperings });
});

function randomLogs(): AsyncIterable<string> {
  const words = ["-m", "tests.verifier.random_logs", String(LOGS), SEED];
  const env = environment({ PYTHONPATH: ROOT });
  const made = spawn("python", words, { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  return createInterface({ input: made.stdout });
}

async function isReceiptGood(receipt: Receipt, log: Log): Promise<boolean> {
  const { head, consistency } = log;
  const checks = await checkReceipt({ ...receipt, cosigned: null }, {
    head: () => Promise.resolve({ ...head, earlierKeys: [], cosigned: null }),
    consistency: (first, last) => Promise.resolve({ first, size: last, proof: consistency }),
  });
  return isGood(checks);
}
