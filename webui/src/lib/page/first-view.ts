import { object, text, type Infer } from "@/lib/api/decode";
import { resourceAt, useResource } from "@/lib/api/resource";

const firstView = object({
  title: text,
  picture: text,
  /** The end of voting. */
  tag: text,
  /** Marks sample content. */
  sample: text,
});

/** What a page shows first of a project or a proposal; what does not apply is empty. */
export type FirstView = Infer<typeof firstView>;

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
  return useResource(resourceAt(`${path}#first`, firstView), false).data;
}
