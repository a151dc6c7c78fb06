import { lazy, Suspense, useSyncExternalStore } from "react";
import type { ToastKind } from "./toast-region";

/** A notice asked for before the toast code was there. */
type Notice = { readonly kind: ToastKind; readonly text: string; readonly id: string };

const ToastRegion = lazy(async () => ({ default: (await import("./toast-region")).ToastRegion }));
const watchers = new Set<() => void>();
let needed = false;
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

/** Where notices appear. Its code is loaded with the first notice. */
export function Notices() {
  const wanted = useSyncExternalStore(watch, isNeeded, isNotNeeded);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <ToastRegion onReady={markReady} />
    </Suspense>
  );
}

async function show(notice: Notice): Promise<void> {
  needed = true;
  for (const watcher of watchers) watcher();
  const { showToast } = await import("./toast-region");
  // A notice that comes before its region may be lost, or not be read out.
  await ready;
  showToast(notice.kind, notice.text, notice.id);
}

function watch(listener: () => void): () => void {
  watchers.add(listener);
  return () => watchers.delete(listener);
}

const isNeeded = () => needed;
const isNotNeeded = () => false;
