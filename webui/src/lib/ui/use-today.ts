import { useState } from "react";

/** The date on which the page was opened. */
export function useToday(): Date {
  const [today] = useState(() => new Date());
  return today;
}
