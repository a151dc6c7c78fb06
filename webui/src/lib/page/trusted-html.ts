// The only Trusted Types policy of the site (the Content-Security-Policy allows no other).
// Where browsers enforce it, no text becomes HTML or a script's address except through here.
// It is the default policy, because Stripe's loader knows no other way.

const SANITISED = Symbol("sanitised");
// Stripe's, and our own service worker.
const SCRIPTS = /^(?:\/worker\.js$|https:\/\/(?:[a-z0-9-]+\.)?js\.stripe\.com\/)/;

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: {
      createHTML(html: string, purpose?: unknown): string;
      createScriptURL(url: string): string;
    },
  ): { createHTML(html: string, purpose: unknown): string };
};

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy("default", {
  createHTML(html, purpose) {
    if (purpose === SANITISED) return html;
    throw new TypeError("HTML reaches the page through trustedHtml alone");
  },
  createScriptURL(url) {
    if (SCRIPTS.test(url)) return url;
    throw new TypeError(`${url} is not a script of this site`);
  },
});

/** Marks HTML that the server sanitised, or that the build made, as safe to insert. */
export function trustedHtml(html: string): string {
  return policy?.createHTML(html, SANITISED) ?? html;
}
