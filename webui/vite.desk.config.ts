import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { languages, readCatalogue } from "./scripts/languages.mjs";

// The desk of operators who sign with a phone: an entry of its own without React.
const texts = Object.fromEntries(languages.map((code) => [code, readCatalogue(code, "desk")]));

export default defineConfig({
  define: { PAGE_TEXTS: JSON.stringify(texts) },
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  publicDir: false,
  build: {
    emptyOutDir: false,
    modulePreload: false,
    target: "es2022",
    rolldownOptions: { input: fileURLToPath(new URL("./desk.html", import.meta.url)) },
  },
});
