import { createHash } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { artFolder, drawArt } from "./scripts/art-plugin.ts";
import { legalTexts } from "./scripts/legal-plugin.ts";
import { compileMessages } from "./scripts/messages-plugin.ts";
import { shakeRouter } from "./scripts/router-plugin.ts";
import { startAfterFirstFrame } from "./scripts/starter-plugin.ts";

const language = process.env["JARA_LANGUAGE"] ?? "en";
const api = process.env["JARA_API"] ?? "http://127.0.0.1:8000";

const HERE = fileURLToPath(new URL(".", import.meta.url));
// The package names its development build alone, with warnings that no visitor reads.
const ROUTER = new URL("./node_modules/react-router/dist/production/index.mjs", import.meta.url);

// What the first view is made of: React and the router, the frame, the header, the hero, the way to the server.
const PACKAGES = /node_modules\/(?:react|react-dom|react-router|react-router-dom|scheduler)\//;
const FIRST =
  /src\/(?:styles\/[a-z]+\.css|app\/(?:main|home-sections|router|layout|providers|site-routes|use-page-focus|route-error-boundary)|lib\/[a-z]+\/(?:api-client|class-names|config|decode|lazy-when-idle|messages|notify|page-meta|paths|resource|session|stats|token-storage|use-error-notice|use-scrolled-down)\.|messages\/en\/(?:common|home)\.|features\/home\/home-hero|app\/routes\/home\.|components\/(?:band|badge|button|error-state|header|icon|link|site-logo|skeleton)\/)/;
// The home page below its hero, the footer, and what most pages are made of: loaded when idle.
const BLOCKS =
  /src\/(?:app\/(?:site-footer|home-below-hero)|art\/|lib\/[a-z]+\/(?:first-view|format|faq|use-near-viewport)|components\/(?:accordion|cloth|faq-list|step-pictures|empty-state|field\/field|footer|fund-split|portrait|resource-view|scene|split-bar|svg-art|tile)|features\/(?:newsletter\/(?:newsletter-form|api)|home\/(?:hero-cloth|home-faq|how-it-works|open-ledger)|catalogue\/(?:api|project-card|project-strip|team-list))|messages\/en\/(?:catalogue|funds|home-rest|newsletter))/;

/** Also the styles of all that the build has drawn: they are needed at once, in one file. */
function isFirst(id: string): boolean {
  return PACKAGES.test(id) || FIRST.test(id) || (BLOCKS.test(id) && id.includes(".module.css"));
}

/** A class of one file: short, since the page, the styles and the scripts all name it. */
function scopedName(name: string, file: string): string {
  const inside = path.relative(HERE, file.replace(/\?.*$/, ""));
  return `${name}-${createHash("sha256").update(inside).digest("hex").slice(0, 5)}`;
}

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [
    compileMessages(language),
    legalTexts(),
    react(),
    shakeRouter(),
    startAfterFirstFrame(),
    drawArt(),
  ],
  define: {
    "import.meta.env.JARA_LANGUAGE": JSON.stringify(language),
    "import.meta.env.JARA_ART": JSON.stringify(artFolder),
  },
  resolve: {
    alias: [
      { find: "@", replacement: fileURLToPath(new URL("./src", import.meta.url)) },
      ...(command === "build" && isSsrBuild !== true
        ? [{ find: /^react-router$/, replacement: fileURLToPath(ROUTER) }]
        : []),
    ],
  },
  css: { modules: { generateScopedName: scopedName } },
  build: {
    manifest: true,
    // A page that the build draws names its scripts itself; the list for all others is 1 kB of the first view.
    modulePreload: false,
    target: "es2022",
    assetsInlineLimit: 2048,
    rolldownOptions: {
      // Reading React.Component does nothing: lets go the router's classes that no page uses.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          groups: [
            { name: "first", test: isFirst, priority: 2 },
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
