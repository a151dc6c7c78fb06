import { useSearchParams } from "react-router-dom";
import { useHydrated } from "./use-hydrated";

/** A value of the address, null if it is not there or empty; undefined in the page as the build drew it. */
export function useQuery(name: string): string | null | undefined {
  const hydrated = useHydrated();
  const value = useSearchParams()[0].get(name);
  return hydrated ? value || null : undefined;
}
