// Registers the worker that keeps this page on the phone (public/field-worker.js).

const WORKER = "/field-worker.js";

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
};

/** Keeps the page for times without a network. */
export async function keepOffline(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  // The Content-Security-Policy allows this policy alone, and this page makes no HTML.
  trustedTypes?.createPolicy("default", {
    createScriptURL(url) {
      if (url === WORKER) return url;
      throw new TypeError(`${url} is not a script of this page`);
    },
  });
  await navigator.serviceWorker.register(WORKER, { scope: "/field" });
}
