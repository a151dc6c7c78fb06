import { useEffect } from "react";
import { notify } from "@/lib/ui/notify";

/** Shows what the server said as a notice too, once for each failure (spec §8). */
export function useErrorNotice(error: Error | null): void {
  useEffect(() => {
    if (error !== null) notify.error(error.message);
  }, [error]);
}
