import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { drawArt } from "./scripts/art-plugin.ts";
import { legalTexts } from "./scripts/legal-plugin.ts";
import { compileMessages } from "./scripts/messages-plugin.ts";

const api = process.env["JARA_API"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [compileMessages(), legalTexts(), react(), drawArt()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    manifest: true,
    target: "es2022",
    assetsInlineLimit: 2048,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What changes only with a dependency keeps its name, and stays in the browser's cache.
          groups: [
            {
              name: "vendor",
              test: /node_modules\/(?:react|react-dom|react-router|react-router-dom|scheduler)\//,
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
    include: ["src/**/*.test.{ts,tsx}"],
    css: false,
    restoreMocks: true,
  },
});
