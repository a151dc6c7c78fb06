import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { IS_FULL } from "./support/soak.ts";

// `nox -s full` runs these too: they wait for slow lines, old clocks and large organisations, or look
// at every page in one more form.
const LONG = [
  "slow-phone", "other-engines", "field-faults", "organisations", "reloads", "last-hour",
  "kept-pages", "large-text", "print", "details", "hostile-html", "own-currency", "two-verifiers",
  "pictures", "external-links", "field-drafts",
].map((name) => `${name}.e2e.ts`);

// Journeys through the built site in a real Chromium, on a real server: `npm run e2e`.
// With `--mode shots` the same machinery photographs every page: `npm run shots`.
export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL(".", import.meta.url)),
  resolve: { alias: { "@": fileURLToPath(new URL("../src", import.meta.url)) } },
  test: {
    include: [mode === "shots" ? "*.shots.ts" : "*.e2e.ts"],
    exclude: IS_FULL ? [] : LONG,
    globalSetup: "support/global-setup.ts",
    environment: "node",
    pool: "forks",
    // A worker loads Playwright once; the files share nothing else. Two leave processors idle.
    isolate: false,
    maxWorkers: 3,
    // Pages wait a lot, so two journeys share a browser.
    sequence: { concurrent: true },
    maxConcurrency: 2,
    // One retry, shown in the report: a busy machine may starve a browser for a minute.
    retry: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
}));
