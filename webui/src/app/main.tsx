import "@/styles/tokens.css";
import "@/styles/fonts.css";
import "@/styles/global.css";
import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { ResourceCache } from "@/lib/api/resource";
import { storedSince } from "@/lib/api/stored-answers";
import { forgetChoice } from "@/lib/text/languages";
import { readToken } from "@/lib/session/token-storage";
import { Providers } from "./providers";
import { SiteRouter } from "./router";

const WORKER_AFTER_MS = 3000;

// The server reads an encoded slash as a slash: both must see the same page.
const { pathname, search, hash } = location;
if (/%2f/i.test(pathname)) history.replaceState(null, "", pathname.replaceAll(/%2f/gi, "/") + search + hash);

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");
forgetChoice();
const cache = new ResourceCache(answers("page-data"), isLive() ? answers("live-data") : {});

// The server's head elements; React renders its own from here on.
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
// In a transition React hydrates in short tasks, so that a slow phone answers in between.
else startTransition(() => void hydrateRoot(root, app));
// Installing the worker would slow the page down on a cheap phone: the page comes first. A stored
// page came from the worker, and waits for the network to return.
setTimeout(startWorker, storedSince() === null ? WORKER_AFTER_MS : 0);

/** Keeps pages for offline use. A browser may refuse it; the site works without. */
function startWorker(): void {
  void import("@/lib/page/keep-offline").then(({ keepOffline }) => keepOffline()).catch(() => null);
}

function answers(id: string): Record<string, unknown> {
  return JSON.parse(document.getElementById(id)?.textContent ?? "{}") as Record<string, unknown>;
}

/** Whether the answers that came with the page are current for this reader. */
function isLive(): boolean {
  // A page from the browser history may be old; a member sees more than a visitor, except when the
  // service worker had nothing but the visitor's page.
  const [entry] = performance.getEntriesByType("navigation");
  const isOld = (entry as PerformanceNavigationTiming | undefined)?.type === "back_forward";
  return !isOld && (readToken() === null || storedSince() !== null);
}
