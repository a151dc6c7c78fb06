import "@/styles/tokens.css";
import "@/styles/fonts.css";
import "@/styles/global.css";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { ResourceCache } from "@/lib/resource";
import { Providers } from "./providers";
import { SiteRouter } from "./router";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");

const app = (
  <StrictMode>
    <BrowserRouter>
      <Providers cache={new ResourceCache(pageSeeds())}>
        <SiteRouter />
      </Providers>
    </BrowserRouter>
  </StrictMode>
);

// A page that the build has drawn is taken over; an empty one is drawn here.
if (root.firstElementChild === null) createRoot(root).render(app);
else hydrateRoot(root, app);

function pageSeeds(): Record<string, unknown> {
  const json = document.getElementById("page-data")?.textContent;
  return json == null ? {} : (JSON.parse(json) as Record<string, unknown>);
}
