import { useMemo, useState } from "react";
import { useClockAhead } from "@/lib/api/server-clock";

/** The date on which the page was opened, by the server's clock if this browser's is fast. */
export function useToday(): Date {
  const [opened] = useState(() => Date.now());
  const ahead = useClockAhead();
  return useMemo(() => new Date(opened - ahead), [opened, ahead]);
}
