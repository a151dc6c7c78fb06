import { mkdtemp, rm } from "node:fs/promises";
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
  }
}

/** Creates the sample organisation once per run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "jara-e2e-"));
  await runJara(folder, ["demo", "--no-serve", "--members", "40"]);
  project.provide("organisation", path.join(folder, "jara-demo"));
  return () => rm(folder, { recursive: true });
}
