import { useSyncExternalStore } from "react";

/** True once the page is scrolled down by more than that many pixels. */
export function useScrolledDown(pixels: number): boolean {
  return useSyncExternalStore(
    watch,
    () => window.scrollY > pixels,
    () => false,
  );
}

function watch(listener: () => void): () => void {
  window.addEventListener("scroll", listener, { passive: true });
  return () => window.removeEventListener("scroll", listener);
}
