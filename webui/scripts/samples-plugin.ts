import type { Plugin } from "vite";
import { aboutSamples } from "./content.mjs";

const NAME = "virtual:samples";

/** Puts the samples of the about page into the site, from the sample content of data/. */
export function aboutPageSamples(language: string): Plugin {
  return {
    name: "jara-samples",
    resolveId: (id) => (id === NAME ? `\0${id}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      const { projects, entries } = aboutSamples(language);
      return `export const projects = ${JSON.stringify(projects)}, entries = ${JSON.stringify(entries)};`;
    },
  };
}
