import type { Plugin } from "vite";
import { artFiles } from "../src/art/files";

/** Serves the drawings at /art/ while developing and writes them beside the built site. */
export function drawArt(): Plugin {
  const mark = artFiles()["mark.svg"] ?? "";
  return {
    name: "jara-art",
    configureServer(server) {
      server.middlewares.use("/art/", (request, response, next) => {
        const svg = artFiles()[(request.url ?? "").slice(1).split("?")[0] ?? ""];
        if (svg === undefined) return next();
        response.setHeader("Content-Type", "image/svg+xml");
        response.end(svg);
      });
    },
    // In the page itself: one request less for a drawing of 300 bytes.
    transformIndexHtml: (html) =>
      html.replace("/art/mark.svg", `data:image/svg+xml,${encodeURIComponent(mark)}`),
    generateBundle() {
      for (const [name, source] of Object.entries(artFiles())) {
        this.emitFile({ type: "asset", fileName: `art/${name}`, source });
      }
    },
  };
}
