import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkLog, type LogState } from "../src/features/receipts/check-log.ts";
import { checkReceipt, isGood } from "../src/features/receipts/check-receipt.ts";
import { findFate } from "../src/features/receipts/fate.ts";
import type { BallotProof, Receipt } from "../src/api/schema.ts";
import type { SignedLog } from "../src/features/receipts/signed-log.ts";
import { environment } from "./support/jara.ts";
import { saw, SEED, size } from "./support/soak.ts";

// The website's own check and the stand-alone verifier, two programs in two languages, judge
// the same random logs (tests/verifier/random_logs.py) and must say the same of each.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LOGS = size(12, 1000, 60);
const NOW = new Date();
const MINUTES = size(4, 60);

type Promised = { readonly receipt: Receipt; readonly answer: BallotProof; readonly holds: boolean };
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
  readonly promises: readonly Promised[];
  readonly tamperings: readonly Tampering[];
};

test("both verifiers agree on every log", { timeout: MINUTES * 60_000 }, async () => {
  let [logs, promises, tamperings] = [0, 0, 0];
  for await (const line of randomLogs()) {
    const log = JSON.parse(line) as Log;
    expect(await checkLog(log.lines, log.states), `log ${logs}`).toMatchObject({ holds: true });
    expect(log.olderHolds, `log ${logs} against an older checkpoint`).toBe(true);
    for (const { receipt, answer, holds } of log.promises) {
      const check = await checkPromise(receipt, answer, log);
      expect(isGood(check.checks), `${logs}: ${JSON.stringify(receipt)}`).toBe(holds);
      const found = findFate(receipt, log.lines.split("\n"), NOW);
      if (holds) expect(found, `${logs}: ${JSON.stringify(receipt)}`).toBe(check.fate);
    }
    for (const { what, lines, holds, firstBad } of log.tamperings) {
      const found = await checkLog(lines, log.states);
      expect(found, `log ${logs}, ${what}`).toEqual({ holds, firstBad });
    }
    logs += 1;
    promises += log.promises.length;
    tamperings += log.tamperings.length;
  }
  expect(logs).toBe(LOGS);
  await saw({ logs, promises, tamperings });
});

function randomLogs(): AsyncIterable<string> {
  const words = ["-m", "tests.verifier.random_logs", String(LOGS), SEED];
  const env = environment({ PYTHONPATH: ROOT });
  const made = spawn("python", words, { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  return createInterface({ input: made.stdout });
}

function checkPromise(receipt: Receipt, answer: BallotProof, log: Log) {
  const ballot = () => Promise.resolve(answer);
  return checkReceipt(receipt, { ...signedLog(log), ballot }, NOW);
}

function signedLog({ head, consistency }: Log): SignedLog {
  return {
    head: () => Promise.resolve({ ...head, cosigned: null }),
    consistency: () => Promise.resolve({ proof: consistency }),
  };
}
