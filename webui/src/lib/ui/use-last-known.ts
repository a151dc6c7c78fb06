import { useState } from "react";

/** The value, or the previous one while there is none, so that a form stays during a reload. */
export function useLastKnown<T>(value: T | null): T | null {
  const [known, setKnown] = useState(value);
  if (value !== null && value !== known) setKnown(value);
  return value ?? known;
}
