import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { runJara } from "./jara.ts";
import { IS_FULL } from "./soak.ts";

declare module "vitest" {
  // Vitest declares provided values by augmenting this interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    /** Folder of the sample organisation; each test file serves a copy. */
    organisation: string;
    /** The same of one whose books are in euros, in full runs. */
    euro: string;
    /** The same of one that was just created. */
    empty: string;
  }
}

const ROOT = path.join(import.meta.dirname, "../../..");

/**
 * Creates the sample organisations once per run, and a `jara` that starts at once: its commands and
 * servers share their imports. Fails if there is no website to test.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const page = path.join(import.meta.dirname, "../../dist/index.html");
  await access(page).catch(() => {
    throw new Error(`${page} is missing; build the website first: npm run build`);
  });
  const folder = await mkdtemp(path.join(os.tmpdir(), "jara-e2e-"));
  const quick = spawn("python", ["-m", "tests.quick_jara", folder], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(quick, "exit");
  await Promise.race([once(quick.stdout, "data"), ended]);
  if (quick.exitCode !== null) throw new Error("`python -m tests.quick_jara` ended.");
  process.env["PATH"] = [folder, process.env["PATH"]].join(path.delimiter);
  const euro = path.join(folder, "euro");
  const empty = path.join(folder, "empty");
  await Promise.all([mkdir(euro), mkdir(empty)]);
  await Promise.all([
    runJara(folder, ["demo", "--no-serve", "--members", "40"]),
    IS_FULL && runJara(euro, ["demo", "--no-serve", "--members", "20", "--currency", "EUR"]),
    runJara(empty, ["--db", "jara.db", "init"]),
  ]);
  project.provide("organisation", path.join(folder, "jara-demo"));
  project.provide("euro", path.join(euro, "jara-demo"));
  project.provide("empty", empty);
  return async () => {
    quick.kill();
    await ended;
    await rm(folder, { recursive: true });
  };
}
