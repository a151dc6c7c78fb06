import "@/styles/tokens.css";
import "@/styles/fonts.css";
import "@/styles/global.css";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router-dom";
import { ResourceCache } from "@/lib/api/resource";
import { storedSince } from "@/lib/api/stored-answers";
import { forgetChoice } from "@/lib/text/languages";
import { readToken } from "@/lib/session/token-storage";
import { Providers } from "./providers";
import { SiteRouter } from "./router";
import { arrivalAt } from "./site-routes";

const WORKER_AFTER_MS = 3000;

// The server reads an encoded slash as a slash: both must see the same page.
const { pathname, search, hash } = location;
if (/%2f/i.test(pathname)) history.replaceState(null, "", pathname.replaceAll(/%2f/gi, "/") + search + hash);

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root");
forgetChoice();
const cache = new ResourceCache(answers("page-data"), isLive() ? answers("live-data") : {});

const app = (
  <BrowserRouter>
    <Providers cache={cache}>
      <SiteRouter />
    </Providers>
  </BrowserRouter>
);

if (root.firstElementChild === null) createRoot(root).render(app);
// With the page's own chunk, so that the app takes over all of it at once.
else void Promise.resolve(arrivalAt(location.pathname)).then(() => {
  const typed = typedBefore(root);
  hydrateRoot(root, app);
  window.dispatchEvent(new Event("hydrated"));
  void typeAgain(typed);
});
// Installing the worker would slow the page down on a cheap phone: the page comes first. A stored
// page came from the worker, and waits for the network to return.
setTimeout(startWorker, storedSince() === null ? WORKER_AFTER_MS : 0);

/** Keeps pages for offline use. A browser may refuse it; the site works without. */
function startWorker(): void {
  void import("@/lib/page/keep-offline").then(({ keepOffline }) => keepOffline()).catch(() => null);
}

type TypedField = readonly [HTMLInputElement | HTMLTextAreaElement, string];

/** What was typed, or restored by the browser, before the app listened. */
function typedBefore(page: HTMLElement): TypedField[] {
  return [...page.querySelectorAll<TypedField[0]>("input:not([type=file]), textarea")]
    .filter((field) => field.value !== field.defaultValue)
    .map((field) => [field, field.value]);
}

/** Tells the app what was typed; Preact keeps it in inputs, and empties a textarea. */
async function typeAgain(typed: readonly TypedField[]): Promise<void> {
  for (const [field, text] of typed) {
    // Each change meets the state that the one before it made.
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve));
    field.value ||= text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
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
