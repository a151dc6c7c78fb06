import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
import { afterEach, vi } from "vitest";

window.scrollTo = () => undefined;
// Here nothing is ever scrolled into view; without the observer a page loads everything at once.
Reflect.deleteProperty(window, "IntersectionObserver");

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  document.body.removeAttribute("style");
});
