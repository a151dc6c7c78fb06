import { useEffect } from "react";
import { notify } from "@/lib/ui/notify";

/** Shows an error as a notice, once per failure (spec §8). */
export function useErrorNotice(error: Error | null): void {
  useEffect(() => {
    if (error !== null) notify.error(error);
  }, [error]);
}
