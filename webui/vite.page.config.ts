import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { languages, readCatalogue } from "./scripts/languages.mjs";

// A page without React and with a bundle of its own, in every language at once: `--mode field` for
// partners, `--mode desk` for operators who sign with a phone.
export default defineConfig(({ mode }) => ({
  define: { PAGE_TEXTS: JSON.stringify(Object.fromEntries(languages.map((code) => [code, readCatalogue(code, mode)]))) },
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  publicDir: false,
  build: {
    emptyOutDir: false,
    modulePreload: false,
    target: "es2022",
    rolldownOptions: { input: { [mode]: fileURLToPath(new URL("./page.html", import.meta.url)) } },
  },
}));
