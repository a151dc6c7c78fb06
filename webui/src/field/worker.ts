// Registers the worker that keeps this page on the phone (public/field-worker.js).

const WORKER = "/field-worker.js";

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
};

/** Keeps the page for times without a network; returns whether it is kept. */
export async function keepOffline(): Promise<boolean> {
  if (!("serviceWorker" in navigator)) return false;
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  // The Content-Security-Policy allows this policy alone, and this page makes no HTML.
  trustedTypes?.createPolicy("default", {
    createScriptURL(url) {
      if (url === WORKER) return url;
      throw new TypeError(`${url} is not a script of this page`);
    },
  });
  const { active, installing } = await navigator.serviceWorker.register(WORKER, { scope: "/field" });
  if (active !== null || installing === null) return active !== null;
  return await new Promise((resolve) => {
    installing.addEventListener("statechange", () => {
      if (installing.state === "redundant") resolve(false);
      else resolve(true); // installed: the worker has the page and all its files
    });
  });
}
