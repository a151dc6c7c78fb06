import type { Organisation } from "./organisation.ts";

// What an operator does for partners in the field.

export const PROJECT = "clean-water-boreholes";
let partners = 0;

/** A report that the operator sees. */
export type Row = { readonly id: string; readonly title: string; readonly state: string; readonly photos: number };

/** Adds a partner; returns the link for this server. */
export async function newLink(
  site: Organisation,
  language: string,
  kind = "Partner",
  project = PROJECT,
): Promise<{ readonly link: string; readonly name: string }> {
  partners += 1;
  const name = `${kind} ${partners}`;
  const words = ["partners", "add", name, "--project", project, "--language", language, "--json"];
  const { address } = JSON.parse(await site.jara(...words)) as { readonly address: string };
  return { link: hereOf(address, site), name };
}

/** Gives a volunteer a link for claims; returns it for this server. */
export async function claimLink(site: Organisation, name: string, language: string): Promise<string> {
  await site.jara("claims", "purposes", "add", "Food for meetings", "--account", "expenses:operations");
  const words = ["claims", "link", name, "--email", "kofi@example.org", "--language", language, "--json"];
  const { address } = JSON.parse(await site.jara(...words)) as { readonly address: string };
  return hereOf(address, site);
}

/** The same link at the address under which the test reaches the server. */
export function hereOf(address: string, { origin }: { readonly origin: string }): string {
  const { pathname, hash } = new URL(address);
  return `${origin}${pathname}${hash}`;
}

/** The reports that wait for the operator. */
export async function waiting(site: Organisation): Promise<readonly Row[]> {
  return JSON.parse(await site.jara("field", "list", "--json")) as readonly Row[];
}
