import { useCallback, useSyncExternalStore } from "react";
import { apiSend } from "@/lib/api/api-client";
import { useResourceCache } from "@/lib/api/resource";
import { forgetSession, onTokenChange, readToken, storeToken } from "./token-storage";

const noToken = () => null;

/** The stored token; null for visitors and during hydration. */
export function useToken(): string | null {
  return useSyncExternalStore(onTokenChange, readToken, noToken);
}

export function useSignedIn(): boolean {
  return useToken() !== null;
}

/** Stores a new token and clears the cache. */
export function useSignIn(): (token: string) => void {
  const cache = useResourceCache();
  return useCallback(
    (token: string) => {
      storeToken(token);
      cache.clear();
    },
    [cache],
  );
}

/** Clears the token and the vote status; the logout call is not awaited (spec §4). */
export function useSignOut(): () => void {
  const cache = useResourceCache();
  return useCallback(() => {
    if (readToken() === null) return;
    void apiSend("POST /user/logout", undefined).catch(() => null);
    forgetSession();
    cache.clear();
  }, [cache]);
}
