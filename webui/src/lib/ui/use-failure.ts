import { useState } from "react";
import { isLoss } from "./notify";
import { useWhenOnline } from "./use-when-online";

/**
 * What failed in one part of a page, until its next try.
 *
 * That the network is lost is no news any more once it is back.
 */
export function useFailure<Failure extends Error = Error>(): readonly [
  failure: Failure | null,
  set: (failure: Failure | null) => void,
] {
  const [failure, set] = useState<Failure | null>(null);
  useWhenOnline(isLoss(failure) ? () => set(null) : null);
  return [failure, set];
}

export function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure));
}
