import { useCallback, useSyncExternalStore } from "react";
import { apiSend } from "@/lib/api/api-client";
import { nothing } from "@/lib/api/decode";
import { useResourceCache } from "@/lib/api/resource";
import { forgetSession, onTokenChange, readToken, storeToken } from "./token-storage";

const noToken = () => null;

/** The stored token; null for a visitor, and while the page is still as the server sent it. */
export function useToken(): string | null {
  return useSyncExternalStore(onTokenChange, readToken, noToken);
}

export function useSignedIn(): boolean {
  return useToken() !== null;
}

/** Keeps a new token and forgets what was read as somebody else. */
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

/** Clears the token and the vote status; the server is told, but nobody waits for it (spec §4). */
export function useSignOut(): () => void {
  const cache = useResourceCache();
  return useCallback(() => {
    if (readToken() === null) return;
    void apiSend("POST", "/user/logout", {}, nothing).catch(() => null);
    forgetSession();
    cache.clear();
  }, [cache]);
}
