import { useResource } from "@/lib/api/resource";

/** Whether the home page shows nothing but samples, and says so once; false until that is known. */
export function useAllSample(): boolean {
  const claims = useResource("/stats").data?.claims;
  const projects = useResource("/projects", false).data;
  const team = useResource("/team", false).data;
  return [claims, projects, team].every((all) => all?.length && all.every(({ sample }) => sample));
}
