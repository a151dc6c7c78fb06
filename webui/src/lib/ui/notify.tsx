import { useEffect, useSyncExternalStore } from "react";
import type * as ToastRegionModule from "./toast-region";
import type { ToastKind } from "./toast-region";

type Code = typeof ToastRegionModule;

/** A notice asked for before the toast code was there. */
type Notice = { readonly kind: ToastKind; readonly text: string; readonly id: string };

const watchers = new Set<() => void>();
let code: Code | null = null;
let markReady: () => void = () => undefined;
const ready = new Promise<void>((resolve) => {
  markReady = resolve;
});

/** Short notices at the top right; the same cause never shows twice at once. */
export const notify = {
  success: (text: string, id?: string) => void show({ kind: "success", text, id: id ?? text }),
  warning: (text: string, id?: string) => void show({ kind: "warning", text, id: id ?? text }),
  error: (text: string, id?: string) => {
    // Spec §8: failures are also logged; the console keeps its errors for what is broken.
    // oxlint-disable-next-line no-console
    console.warn(text);
    void show({ kind: "error", text, id: id ?? text });
  },
};

/** Where notices appear. */
export function Notices() {
  const region = useSyncExternalStore(watch, readCode, readNothing);
  useEffect(() => {
    // Fetched with the first touch: a notice may have to say that the network is gone.
    const fetchEarly = () => void fetchCode();
    window.addEventListener("focusin", fetchEarly, { once: true });
    return () => window.removeEventListener("focusin", fetchEarly);
  }, []);
  return region === null ? null : <region.ToastRegion onReady={markReady} />;
}

async function show({ kind, text, id }: Notice): Promise<void> {
  code ??= await fetchCode();
  // Gone before the first touch: then the page says of itself that it is offline.
  if (code === null) return;
  for (const watcher of watchers) watcher();
  // A notice that comes before its region may be lost, or not be read out.
  await ready;
  code.showToast(kind, text, id);
}

async function fetchCode(): Promise<Code | null> {
  return await import("./toast-region").catch(() => null);
}

function watch(listener: () => void): () => void {
  watchers.add(listener);
  return () => watchers.delete(listener);
}

const readCode = () => code;
const readNothing = () => null;
