import type { FirstView } from "@/lib/api/calls";
import { useResource } from "@/lib/api/resource";

/** Placeholders that the build writes and the server fills. */
export const FIRST_SLOTS: FirstView = {
  title: "{{first.title}}",
  picture: "{{first.picture}}",
  tag: "{{first.tag}}",
  sample: "{{first.sample}}",
};

/** The first view that the server wrote into the page at this path; null if there is none. */
export function useFirstView(path: string): FirstView | null {
  // Never requested: it comes with the page or not at all.
  return useResource(`${path}#first`, false).data;
}
