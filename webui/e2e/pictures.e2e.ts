import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";

const { journey } = openSite();

type Answer = { readonly [key: string]: unknown } | readonly unknown[];

journey("every picture that the API names is there, and the pages show it", async (visit, site) => {
  const read = async (call: string) => (await (await fetch(`${site.origin}/api${call}`)).json()) as Answer;
  const projects = (await read("/projects")) as readonly { slug: string; imageUrl: string | null }[];
  const grants = (await read("/grants")) as readonly { imageUrl: string | null }[];
  const proposals = (await read("/user/get-proposals")) as readonly {
    submitters: readonly { image: string | null }[];
  }[];
  const pages = (await Promise.all(projects.map(({ slug }) => read(`/projects/${slug}`)))) as unknown as {
    imageUrl: string | null;
    milestones: readonly { images?: readonly string[] }[];
  }[];
  const milestones = pages.flatMap((page) => page.milestones);
  const faces = proposals.flatMap(({ submitters }) => submitters.map(({ image }) => image));
  const named = [
    ...[...projects, ...pages, ...grants].map(({ imageUrl }) => imageUrl),
    ...faces,
    ...milestones.map(({ images }) => images?.[0] ?? null),
  ];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((one) => !one)).toEqual([]);
  for (const address of new Set([...named, ...milestones.flatMap(({ images }) => images ?? [])])) {
    const answer = await fetch(new URL(address ?? "", site.origin));
    expect([address, answer.status, answer.headers.get("content-type")]).toEqual([
      address,
      200,
      expect.stringMatching(/^image\//),
    ]);
    expect([address, answer.headers.get("cache-control")]).toEqual([address, expect.stringContaining("max-age=")]);
  }
  for (const [page, wanted] of [
    ["/projects", projects.slice(0, 6).map(({ imageUrl }) => imageUrl)],
    ["/grants", grants.map(({ imageUrl }) => imageUrl)],
    ["/proposals", proposals[0]?.submitters.map(({ image }) => image) ?? []],
  ] as const) {
    await visit.go(page);
    const shown = await visit.page.locator("main img").evaluateAll((all) => all.map((one) => one.getAttribute("src")));
    expect([page, wanted.filter((address) => !shown.includes(address))]).toEqual([page, []]);
  }
});
