import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";

// Pages are loaded lazily, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 30_000 });
window.scrollTo = () => undefined;
// Without the observer lazily loaded parts load at once.
Reflect.deleteProperty(window, "IntersectionObserver");

// happy-dom opens a dialog without moving the focus into it.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
  this.querySelector<HTMLElement>("button, input, textarea, a")?.focus();
};

// Expected failures are logged (spec §8).
beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  document.body.removeAttribute("style");
});
