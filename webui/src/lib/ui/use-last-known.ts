import { useState } from "react";

/** The value, and while there is none the one before it: a form does not vanish while it is read again. */
export function useLastKnown<T>(value: T | null): T | null {
  const [known, setKnown] = useState(value);
  if (value !== null && value !== known) setKnown(value);
  return value ?? known;
}
