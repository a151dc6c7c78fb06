import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { languages, readCatalogue } from "./scripts/languages.mjs";

// The page of partners in the field: an entry of its own without React, in every language at once.
const texts = Object.fromEntries(languages.map((code) => [code, readCatalogue(code, "field")]));

export default defineConfig({
  define: { PAGE_TEXTS: JSON.stringify(texts) },
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  publicDir: false,
  build: {
    emptyOutDir: false,
    modulePreload: false,
    target: "es2022",
    rolldownOptions: { input: fileURLToPath(new URL("./field.html", import.meta.url)) },
  },
});
