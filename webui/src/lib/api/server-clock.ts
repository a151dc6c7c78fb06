import { useSyncExternalStore } from "react";

// The Date header has whole seconds.
const SECOND_MS = 1000;

let ahead: number | null = null;
const readers = new Set<() => void>();

/**
 * Notes when the server answered. A clock that is fast must not close a vote early; of a slow one
 * the server says so itself. Answers take time, so the smallest difference is the truest.
 */
export function noteAnswerTime(date: string | null): void {
  const told = Date.parse(date ?? "");
  if (Number.isNaN(told)) return;
  const difference = Math.max(0, Date.now() - told - SECOND_MS);
  if (ahead !== null && difference >= ahead) return;
  ahead = difference;
  for (const tell of readers) tell();
}

/** How far this browser's clock is ahead of the server's, in milliseconds. */
export function useClockAhead(): number {
  return useSyncExternalStore(subscribe, clockAhead, () => 0);
}

function clockAhead(): number {
  return ahead ?? 0;
}

function subscribe(tell: () => void): () => void {
  readers.add(tell);
  return () => readers.delete(tell);
}
