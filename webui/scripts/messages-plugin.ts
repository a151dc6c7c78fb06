import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Plugin } from "vite";
import { readCatalogue } from "./languages.mjs";

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
      const texts = Object.entries(readCatalogue(language, name));
      return JSON.stringify(
        Object.fromEntries(texts.map(([key, text]) => [key, compileMessage(text)])),
      );
    },
    transformIndexHtml: (html) => html.replace('<html lang="en">', `<html lang="${language}">`),
  };
}
