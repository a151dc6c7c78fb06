import { mkdir, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { runJara } from "./jara.ts";

declare module "vitest" {
  // Vitest declares provided values by augmenting this interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    /** Folder of the sample organisation; each test file serves a copy. */
    organisation: string;
    /** The same of one whose books are in euros. */
    euro: string;
  }
}

/** Creates the sample organisations once per run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "jara-e2e-"));
  const euro = path.join(folder, "euro");
  await mkdir(euro);
  await Promise.all([
    runJara(folder, ["demo", "--no-serve", "--members", "40"]),
    runJara(euro, ["demo", "--no-serve", "--members", "20", "--currency", "EUR"]),
  ]);
  project.provide("organisation", path.join(folder, "jara-demo"));
  project.provide("euro", path.join(euro, "jara-demo"));
  return () => rm(folder, { recursive: true });
}
