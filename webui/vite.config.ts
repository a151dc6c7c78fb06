import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { artFolder, drawArt } from "./scripts/art-plugin.ts";
import { languages, readCatalogue } from "./scripts/languages.mjs";
import { compileMessages } from "./scripts/messages-plugin.ts";

const language = process.env["JARA_LANGUAGE"] ?? "en";
const own = readCatalogue(language, "language");
const names = languages.map((code) => [code, readCatalogue(code, "language")["name"]]);
const api = process.env["JARA_API"] ?? "http://127.0.0.1:8000";
const page = fileURLToPath(new URL("index.html", import.meta.url));

export default defineConfig({
  plugins: [compileMessages(language), react(), drawArt()],
  define: {
    "import.meta.env.JARA_LANGUAGE": JSON.stringify(language),
    "import.meta.env.JARA_LANGUAGES": JSON.stringify(JSON.stringify(Object.fromEntries(names))),
    "import.meta.env.JARA_LOCALE": JSON.stringify(own["locale"]),
    "import.meta.env.JARA_OG_LOCALE": JSON.stringify(own["og"]),
    "import.meta.env.JARA_DATES": JSON.stringify(own["dates"]),
    "import.meta.env.JARA_ART": JSON.stringify(artFolder),
  },
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  // Files that every language shares come with the English build.
  publicDir: language === "en" ? "public" : false,
  build: {
    manifest: true,
    // prerender.mjs writes the preload links of each page.
    modulePreload: false,
    target: "es2022",
    assetsInlineLimit: 2048,
    rolldownOptions: {
      output: {
        // The page's script, with everything that it imports statically, is one chunk.
        codeSplitting: {
          groups: [
            {
              name: (id, modules) =>
                modules.getModuleInfo(page)?.importedIds.includes(id) ? "main" : null,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": api, "/media": api } },
  test: {
    environment: "happy-dom",
    setupFiles: ["src/testing/setup.ts"],
    css: false,
    restoreMocks: true,
    // A busy machine may need minutes.
    testTimeout: 180_000,
    // Vitest leaves one processor free; nothing else runs beside it.
    maxWorkers: "100%",
    pool: "threads",
    projects: [
      // The files of a worker share its modules, which halves the time.
      {
        extends: true,
        test: { name: "shared", include: ["src/**/!(*.isolated).test.{ts,tsx}"], isolate: false },
      },
      // Tests that replace modules have them for themselves.
      { extends: true, test: { name: "isolated", include: ["src/**/*.isolated.test.{ts,tsx}"] } },
    ],
  },
});
