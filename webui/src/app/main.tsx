import "@/styles/tokens.css";
import "@/styles/fonts.css";
import "@/styles/global.css";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { ResourceCache } from "@/lib/api/resource";
import { readToken } from "@/lib/session/token-storage";
import { Providers } from "./providers";
import { SiteRouter } from "./router";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");
const cache = new ResourceCache(answers("page-data"), isLive() ? answers("live-data") : {});

// What the server wrote into the head; from here on React does.
for (const element of document.querySelectorAll("[data-sent]")) element.remove();

const app = (
  <StrictMode>
    <BrowserRouter>
      <Providers cache={cache}>
        <SiteRouter />
      </Providers>
    </BrowserRouter>
  </StrictMode>
);

if (root.firstElementChild === null) createRoot(root).render(app);
else hydrateRoot(root, app);

function answers(id: string): Record<string, unknown> {
  return JSON.parse(document.getElementById(id)?.textContent ?? "{}") as Record<string, unknown>;
}

/** Whether what the server wrote into the page is still the newest, for who looks at it. */
function isLive(): boolean {
  // A page out of the history may be old; a member is shown more than a visitor.
  const [entry] = performance.getEntriesByType("navigation");
  return (entry as PerformanceNavigationTiming | undefined)?.type !== "back_forward" && readToken() === null;
}
