import { readFileSync } from "node:fs";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";

const CATALOGUE = /\/src\/messages\/[a-z-]+\/[a-z-]+\.json$/;

/** Compiles ICU messages when they are imported, so that the browser needs no parser. */
export function compileMessages(): Plugin {
  return {
    name: "jara-messages",
    enforce: "pre",
    load(id) {
      if (!CATALOGUE.test(id)) return null;
      const source = JSON.parse(readFileSync(id, "utf8")) as Record<string, string>;
      return JSON.stringify(
        Object.fromEntries(
          Object.entries(source).map(([key, text]) => [key, compileMessage(text)]),
        ),
      );
    },
  };
}
