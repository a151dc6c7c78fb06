import { act, screen } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { LegalText } from "@/features/legal/legal-text";
import { ResourceCache, ResourceProvider } from "@/lib/api/resource";
import { fakeApi } from "@/testing/fake-api";
import { renderApp } from "@/testing/render-app";

const SENT = "<div><h1>Terms</h1><p>Between you and Jara &amp; Co.</p></div>";

function page(cache: ResourceCache, address: string) {
  return (
    <MemoryRouter initialEntries={[address]}>
      <ResourceProvider cache={cache}>
        <LegalText name="terms" />
      </ResourceProvider>
    </MemoryRouter>
  );
}

test.each([
  ["/terms", ""],
  ["/terms?version=2", "2"],
])("%s shows the text that came with the page and asks for nothing", async (address, version) => {
  const api = fakeApi({});
  const complaints = vi.spyOn(console, "error");
  const seeds = { "/legal/terms#text": { version, html: SENT } };
  const root = document.createElement("div");
  root.innerHTML = renderToString(page(new ResourceCache(seeds), address));
  document.body.append(root);
  const paragraph = root.querySelector(".prose p");
  await act(async () => {
    hydrateRoot(root, page(new ResourceCache(seeds), address));
    await Promise.resolve();
  });
  expect(root.querySelector(".prose p")).toBe(paragraph);
  expect(root).toHaveTextContent("Between you and Jara & Co.");
  expect(complaints).not.toHaveBeenCalled();
  expect(api.calls).toEqual([]);
});

test("another version is asked for", async () => {
  fakeApi({ "GET /legal/terms?version=1": { html: "<h1>Terms of then</h1>" } });
  renderApp("/terms?version=1");
  expect(await screen.findByRole("heading", { name: "Terms of then" })).toBeVisible();
});
