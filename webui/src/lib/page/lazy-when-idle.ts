import { lazy, type ComponentType, type LazyExoticComponent } from "react";

const WAIT_MAX_MS = 2000;

/**
 * A part of a page whose code may wait until the browser has nothing better to do. On a page that
 * the build has drawn its HTML is there from the start, so nobody sees the wait.
 */
export function lazyWhenIdle<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    await idle();
    return { default: await load() };
  });
}

function idle(): Promise<void> {
  if (typeof window === "undefined") return Promise.resolve();
  return new Promise((resolve) => {
    const whenIdle = () => {
      if ("requestIdleCallback" in window) {
        window.requestIdleCallback(() => resolve(), { timeout: WAIT_MAX_MS });
      } else setTimeout(resolve, 1);
    };
    if (document.readyState === "complete") whenIdle();
    else window.addEventListener("load", whenIdle, { once: true });
  });
}
