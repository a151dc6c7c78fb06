import { useState } from "react";
import { useSiteConfig } from "./config";
import { useLastKnown } from "@/lib/ui/use-last-known";

/** The day that it is for the server, `2026-11-21`; our own in UTC until it has told. */
export function useServerDay(): string {
  const told = useLastKnown(useSiteConfig().data)?.today ?? null;
  const [own] = useState(() => new Date().toISOString().slice(0, 10));
  return told ?? own;
}
