import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { runJara } from "./jara.ts";

declare module "vitest" {
  // Vitest's own way to say what is provided.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    /** The folder of the sample organisation, of which every test file serves a copy. */
    organisation: string;
  }
}

/** Makes the sample organisation once for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "jara-e2e-"));
  await runJara(folder, ["demo", "--no-serve", "--members", "40"]);
  project.provide("organisation", path.join(folder, "jara-demo"));
  return () => rm(folder, { recursive: true });
}
