import { useState } from "react";
import { useKnownConfig } from "./config";

/** The server's date, `2026-11-21`; this device's UTC date until it is loaded. */
export function useServerDay(): string {
  const told = useKnownConfig()?.today ?? null;
  const [own] = useState(() => new Date().toISOString().slice(0, 10));
  return told ?? own;
}
