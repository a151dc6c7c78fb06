import type { ReactNode } from "react";
import { Notices } from "@/lib/ui/notify";
import { ResourceProvider, type ResourceCache } from "@/lib/api/resource";

/** The providers around every page. */
export function Providers({
  cache,
  children,
}: {
  readonly cache: ResourceCache;
  readonly children: ReactNode;
}) {
  return (
    <ResourceProvider cache={cache}>
      {children}
      <Notices />
    </ResourceProvider>
  );
}
