import { object, text } from "@/lib/api/decode";
import { useResource, type Resource } from "@/lib/api/resource";

/** What a page shows first of a project or a proposal; what does not apply is empty. */
export type FirstView = {
  readonly title: string;
  readonly picture: string;
  /** Until when one may vote. */
  readonly tag: string;
  /** Says of content that it came with the program. */
  readonly sample: string;
};

/** What the build writes in its place. */
export const FIRST_SLOTS: FirstView = {
  title: "{{first.title}}",
  picture: "{{first.picture}}",
  tag: "{{first.tag}}",
  sample: "{{first.sample}}",
};

const decode = object<FirstView>({ title: text, picture: text, tag: text, sample: text });
const views = new Map<string, Resource<FirstView>>();

/**
 * What the server wrote into the page at this path, as it is drawn before any script runs; null
 * where it wrote nothing.
 */
export function useFirstView(path: string): FirstView | null {
  const known = views.get(path);
  const resource = known ?? { path: `${path}#first`, decode };
  if (known === undefined) views.set(path, resource);
  // Nobody can be asked for it: it came with the page, or not at all.
  return useResource(resource, false).data;
}
