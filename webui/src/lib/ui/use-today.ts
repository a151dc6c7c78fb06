import { useState } from "react";

/** The day on which the page was opened; it does not change while somebody reads. */
export function useToday(): Date {
  const [today] = useState(() => new Date());
  return today;
}
