import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { drawArt } from "./scripts/art-plugin.ts";
import { legalTexts } from "./scripts/legal-plugin.ts";
import { compileMessages } from "./scripts/messages-plugin.ts";
import { shakeRouter } from "./scripts/router-plugin.ts";

const site = (process.env["JARA_SITE_URL"] ?? "").replace(/\/+$/, "");
const api = process.env["JARA_API"] ?? "http://127.0.0.1:8000";

// The package names its development build alone, with warnings that no visitor reads.
const ROUTER = new URL("./node_modules/react-router/dist/production/index.mjs", import.meta.url);

const VENDOR = /node_modules\/(?:react|react-dom|react-router|react-router-dom|scheduler)\//;
// What the first view is made of: the frame, the header, the hero, the way to the server.
const BASE =
  /src\/(?:app\/(?:main|home-sections|router|layout|providers|site-routes|use-page-focus|route-error-boundary)|lib\/(?:api-client|class-names|config|decode|lazy-when-idle|messages|notify|page-meta|paths|resource|session|stats|token-storage|use-scrolled-down)\.|messages\/en\/(?:common|home)\.|features\/story\/home-hero|app\/routes\/home\.|components\/(?:band|badge|button|error-state|header|icon|site-logo|skeleton)\/)/;
// The home page below its hero, the footer, and what most pages are made of: loaded when idle.
const BLOCKS =
  /src\/(?:app\/(?:site-footer|home-rest)|art\/|lib\/(?:format|use-near-viewport)|components\/(?:accordion|cloth|empty-state|field\/field|footer|fund-split|portrait|resource-view|scene|split-bar|svg-art|tile)|features\/(?:newsletter\/(?:newsletter-form|api)|story\/(?:api|hero-cloth|home-faq|how-it-works|member-cloth|open-ledger)|catalogue\/(?:api|project-card|project-strip|team-list))|messages\/en\/(?:catalogue|home-rest|newsletter))/;

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [compileMessages(), legalTexts(), react(), shakeRouter(), drawArt()],
  define: { "import.meta.env.JARA_SITE_URL": JSON.stringify(site) },
  resolve: {
    alias: [
      { find: "@", replacement: fileURLToPath(new URL("./src", import.meta.url)) },
      ...(command === "build" && isSsrBuild !== true
        ? [{ find: /^react-router$/, replacement: fileURLToPath(ROUTER) }]
        : []),
    ],
  },
  build: {
    manifest: true,
    target: "es2022",
    assetsInlineLimit: 2048,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What changes only with a dependency keeps its name, and stays in the browser's cache.
            { name: "vendor", test: VENDOR, priority: 3 },
            { name: "base", test: BASE, priority: 2 },
            { name: "blocks", test: BLOCKS, priority: 1 },
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
    testTimeout: 20_000,
  },
}));
