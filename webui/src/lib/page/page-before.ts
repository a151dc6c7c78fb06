import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { paths } from "./paths";

const KEY = "page-before-login";
/** Pages on the way to a session, and the thanks after a payment: nobody wants to go back there. */
const PASSED: ReadonlySet<string> = new Set([
  paths.login,
  paths.join,
  paths.resetPassword,
  paths.paymentSuccess,
]);

/** Remembers in this tab the page to which somebody returns after signing in. */
export function usePageBefore(): void {
  const { pathname, search, hash } = useLocation();
  useEffect(() => {
    // An address with a code from an email works once. One that begins with // is on another site.
    if (PASSED.has(pathname) || /[?&]code=/.test(search) || /^\/[/\\]/.test(pathname)) return;
    try {
      sessionStorage.setItem(KEY, pathname + search + hash);
    } catch {
      // Without storage, signing in leads home.
    }
  }, [pathname, search, hash]);
}

/** The page that was open before the sign-in; home if there was none. */
export function pageBefore(): string {
  try {
    return sessionStorage.getItem(KEY) ?? paths.home;
  } catch {
    return paths.home;
  }
}
