import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";

/** After a navigation, focuses main and scrolls to the top or to the address's fragment. */
export function usePageFocus(): void {
  const { pathname, hash, state } = useLocation();
  const first = useRef(true);
  const stays = (state as { readonly stay?: boolean } | null)?.stay === true;
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    if (stays) return;
    const target = hash === "" ? null : document.getElementById(hash.slice(1));
    if (target === null) {
      document.getElementById("main")?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    } else {
      target.scrollIntoView();
    }
  }, [pathname, hash, stays]);
}
