import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";

// A page is loaded when it is first shown, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 5000 });
window.scrollTo = () => undefined;
// Here nothing is ever scrolled into view; without the observer a page loads everything at once.
Reflect.deleteProperty(window, "IntersectionObserver");

// happy-dom opens a dialog without moving the focus into it.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
  this.querySelector<HTMLElement>("button, input, textarea, a")?.focus();
};

// Failures that a test provokes are logged (spec §8); here nobody reads them.
beforeEach(() => {
  vi.spyOn(console, "warn").mockReturnValue();
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  document.body.removeAttribute("style");
});
