import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { artFiles } from "../src/art/files.ts";

const drawings = artFiles();
const hash = createHash("sha256").update(JSON.stringify(drawings)).digest("hex").slice(0, 8);

/** Folder of the drawings; its name changes with their content, so browsers may cache them forever. */
export const artFolder = `/assets/art-${hash}`;

// The icon keeps its address: search engines store it.
const files = new Map(
  Object.entries(drawings).map(([name, svg]) => [
    name === "mark.svg" ? "/art/mark.svg" : `${artFolder}/${name}`,
    svg,
  ]),
);

/** Serves the drawings during development and writes them into the build. */
export function drawArt(): Plugin {
  return {
    name: "jara-art",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const svg = files.get(request.url ?? "");
        if (svg === undefined) return next();
        response.setHeader("Content-Type", "image/svg+xml");
        response.end(svg);
      });
    },
    generateBundle() {
      for (const [path, source] of files) {
        this.emitFile({ type: "asset", fileName: path.slice(1), source });
      }
    },
  };
}
