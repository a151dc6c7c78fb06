import { useCallback, useEffect, useSyncExternalStore } from "react";
import type { Path } from "./calls";
import { useResourceCache } from "./resource";

/** Fetches the answers at some paths, for what can only be laid out once all are there; whether they are. */
export function useAnswered(paths: readonly Path[]): boolean {
  const cache = useResourceCache();
  const joined = paths.join("\n");
  const watch = useCallback(
    (listener: () => void) => {
      const stops = joined.split("\n").map((path) => cache.watch(path as Path, listener));
      return () => stops.forEach((stop) => stop());
    },
    [cache, joined],
  );
  useEffect(() => {
    for (const path of joined.split("\n")) cache.load(path as Path);
  }, [cache, joined]);
  return useSyncExternalStore(
    watch,
    () => paths.every((path) => cache.state(path).status !== "loading"),
    () => paths.every((path) => cache.firstState(path).status !== "loading"),
  );
}
