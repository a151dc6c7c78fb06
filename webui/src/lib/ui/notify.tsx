import { useEffect, useSyncExternalStore } from "react";
import type * as ToastRegionModule from "./toast-region";
import type { ToastKind } from "./toast-region";

type Code = typeof ToastRegionModule;

/** A notice to show. */
type Notice = { readonly kind: ToastKind; readonly text: string; readonly id: string };

const watchers = new Set<() => void>();
let code: Code | null = null;
let markReady: () => void = () => undefined;
const ready = new Promise<void>((resolve) => {
  markReady = resolve;
});

/** Short notices at the top right; the same one never shows twice at once. */
export const notify = {
  success: (text: string, id?: string) => void show({ kind: "success", text, id: id ?? text }),
  warning: (text: string, id?: string) => void show({ kind: "warning", text, id: id ?? text }),
  /** Takes an error or a text. */
  error: (failure: unknown, id?: string) => {
    const text = failure instanceof Error ? failure.message : String(failure);
    // Spec §8: failures are also logged, as warnings.
    // oxlint-disable-next-line no-console
    console.warn(text);
    void show({ kind: "error", text, id: id ?? text });
    // A lost network is no news any more once it is back.
    if (isLoss(failure)) window.addEventListener("online", () => notify.dismiss(id ?? text), { once: true });
  },
  /** Takes a notice away, for example because the form that it is about is left. */
  dismiss: (id: string) => code?.dismissToast(id),
};

/** Renders the notices. */
export function Notices() {
  const region = useSyncExternalStore(watch, readCode, readNothing);
  useEffect(() => {
    // Fetched on first focus, because a notice may have to report that the network is down.
    const fetchEarly = () => void fetchCode();
    window.addEventListener("focusin", fetchEarly, { once: true });
    return () => window.removeEventListener("focusin", fetchEarly);
  }, []);
  return region === null ? null : <region.ToastRegion onReady={markReady} />;
}

/** Whether a call got no answer, as when the network is lost. */
export function isLoss(failure: unknown): boolean {
  return (failure as { readonly code?: unknown } | null)?.code === "offline";
}

async function show({ kind, text, id }: Notice): Promise<void> {
  code ??= await fetchCode();
  // Offline before the first focus; the page shows an offline banner.
  if (code === null) return;
  for (const watcher of watchers) watcher();
  // A notice before its live region would not be announced.
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
