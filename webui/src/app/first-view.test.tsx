import { act, render, screen, within } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { ProposalScreen } from "@/app/proposal-screen";
import { ProjectWaiting } from "@/features/catalogue/project-hero";
import { Providers } from "@/app/providers";
import { fakeApi } from "@/testing/fake-api";
import { aProposal } from "@/testing/proposals";
import { paths } from "@/lib/page/paths";
import { ResourceCache } from "@/lib/api/resource";

const FIRST = { title: "Bees & hives", picture: "/art/bees.svg", tag: "Vote by Monday", sample: "" };
const PAGES = [
  ["/proposals", <ProposalScreen key="all" slug={null} />],
  ["/proposals/bees", <ProposalScreen key="one" slug="bees" />],
  ["/projects/A%20school", <ProjectWaiting key="project" slug="A school" />],
] as const;

function page(cache: ResourceCache, shown: (typeof PAGES)[number][1]) {
  return (
    <MemoryRouter>
      <Providers cache={cache}>{shown}</Providers>
    </MemoryRouter>
  );
}

test.each(PAGES)("%s hydrates with the title and picture that came with the page", async (path, shown) => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const complaints = vi.spyOn(console, "error");
  const seeds = { [`${path}#first`]: FIRST };
  const root = document.createElement("div");
  root.innerHTML = renderToString(page(new ResourceCache(seeds), shown));
  document.body.append(root);
  const [title, picture] = [root.querySelector("article h1, header h1"), root.querySelector("img")];
  expect(title).toHaveTextContent("Bees & hives");
  expect(picture).toHaveAttribute("src", "/art/bees.svg");
  await act(async () => {
    hydrateRoot(root, page(new ResourceCache(seeds), shown));
    await Promise.resolve();
  });
  expect(within(root).getByRole("heading", { name: FIRST.title })).toBe(title);
  expect(root.querySelector("img")).toBe(picture);
  expect(complaints).not.toHaveBeenCalled();
});

// A browser counts a title that is made again as painted late.
test.each([null, "bees"])("the title stays when the rest of the proposal %s arrives", async (slug) => {
  fakeApi({ "GET /user/get-proposals": [aProposal({ slug: "bees", title: FIRST.title })] });
  const path = slug === null ? "/proposals" : paths.proposal(slug);
  const cache = new ResourceCache({ [`${path}#first`]: FIRST });
  render(page(cache, <ProposalScreen slug={slug} />));
  const title = screen.getByRole("heading", { name: FIRST.title });
  await screen.findAllByRole("button", { name: "Cast Vote" });
  expect(screen.getByRole("heading", { level: 1 })).toBe(title);
});

test.each(PAGES)("%s does not show what came with another page", (_path, shown) => {
  document.body.innerHTML = renderToString(
    page(new ResourceCache({ "/proposals/other#first": FIRST }), shown),
  );
  expect(screen.queryByText("Bees & hives")).toBeNull();
  expect(document.querySelector("img")).toBeNull();
});
