import { existsSync, readFileSync } from "node:fs";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";

const CATALOGUE = /\/src\/messages\/en\/([a-z-]+)\.json$/;

/**
 * Compiles ICU messages when they are imported, so that the browser needs no parser. Components
 * import the English catalogue; in another language its texts replace the English ones,
 * except where a translation is missing.
 */
export function compileMessages(language: string): Plugin {
  return {
    name: "jara-messages",
    enforce: "pre",
    load(id) {
      const name = CATALOGUE.exec(id)?.[1];
      if (name === undefined) return null;
      const own = new URL(`../src/messages/${language}/${name}.json`, import.meta.url);
      const texts = { ...read(id), ...(existsSync(own) ? read(own) : {}) };
      return JSON.stringify(
        Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compileMessage(text)])),
      );
    },
    transformIndexHtml: (html) => html.replace('<html lang="en">', `<html lang="${language}">`),
  };
}

function read(file: string | URL): Record<string, string> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
}
