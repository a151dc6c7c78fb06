import { act, screen, within } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { ProposalWaiting } from "@/features/voting/proposal-head";
import { ProjectWaiting } from "@/features/catalogue/project-hero";
import { fakeApi } from "@/testing/fake-api";
import { ResourceCache, ResourceProvider } from "@/lib/api/resource";

const FIRST = { title: "Bees & hives", picture: "/art/bees.svg", tag: "Vote by Monday", sample: "" };
const PAGES = [
  ["/proposals", <ProposalWaiting key="all" path="/proposals" />],
  ["/proposals/bees", <ProposalWaiting key="one" path="/proposals/bees" />],
  ["/projects/A%20school", <ProjectWaiting key="project" slug="A school" />],
] as const;

function page(seeds: Record<string, unknown>, shown: (typeof PAGES)[number][1]) {
  return (
    <MemoryRouter>
      <ResourceProvider cache={new ResourceCache(seeds)}>{shown}</ResourceProvider>
    </MemoryRouter>
  );
}

test.each(PAGES)("%s hydrates with the title and picture that came with the page", async (path, shown) => {
  const api = fakeApi({});
  const complaints = vi.spyOn(console, "error");
  const seeds = { [`${path}#first`]: FIRST };
  const root = document.createElement("div");
  root.innerHTML = renderToString(page(seeds, shown));
  document.body.append(root);
  const [title, picture] = [root.querySelector("h1"), root.querySelector("img")];
  expect(title).toHaveTextContent("Bees & hives");
  expect(picture).toHaveAttribute("src", "/art/bees.svg");
  await act(async () => {
    hydrateRoot(root, page(seeds, shown));
    await Promise.resolve();
  });
  expect(within(root).getByRole("heading")).toBe(title);
  expect(root.querySelector("img")).toBe(picture);
  expect(complaints).not.toHaveBeenCalled();
  expect(api.calls).toEqual([]);
});

test.each(PAGES)("%s does not show what came with another page", (_path, shown) => {
  document.body.innerHTML = renderToString(page({ "/proposals/other#first": FIRST }, shown));
  expect(screen.queryByText("Bees & hives")).toBeNull();
  expect(document.querySelector("img")).toBeNull();
});
