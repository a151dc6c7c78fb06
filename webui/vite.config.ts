import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { drawArt } from "./scripts/art-plugin";
import { compileMessages } from "./scripts/messages-plugin";

const api = process.env["JARA_API"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [compileMessages(), react(), drawArt()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: { manifest: true, target: "es2022", assetsInlineLimit: 2048 },
  server: { proxy: { "/api": api, "/media": api } },
  test: {
    environment: "happy-dom",
    setupFiles: ["src/testing/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    css: false,
    restoreMocks: true,
  },
});
