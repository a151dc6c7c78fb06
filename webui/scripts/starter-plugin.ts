import type { Plugin } from "vite";

// A page in the background has no frames, and no reader.
const STARTER = `{
  const main = document.querySelector("script[data-main]")?.dataset.main;
  const start = () => {
    document.documentElement.classList.remove("first-frame");
    import(main);
  };
  if (main !== undefined) {
    if (document.visibilityState === "visible") requestAnimationFrame(() => requestAnimationFrame(start));
    else start();
  }
}`;

/**
 * Fetches the fonts and the script of a drawn page once the reader sees what was drawn. It stands in
 * the bundler's own small chunk, which every other chunk imports: one request less on every page.
 */
export function startAfterFirstFrame(): Plugin {
  return {
    name: "jara-starter",
    apply: (_config, { command, isSsrBuild }) => command === "build" && isSsrBuild !== true,
    renderChunk: (code, chunk) => (chunk.name === "rolldown-runtime" ? code + STARTER : null),
  };
}
