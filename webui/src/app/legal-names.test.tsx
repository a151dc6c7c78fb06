import { act } from "@testing-library/react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { LegalText, NAME_SLOTS } from "@/features/legal/legal-text";
import { ResourceCache, ResourceProvider } from "@/lib/api/resource";
import { aConfig } from "@/testing/builders";
import { fakeApi } from "@/testing/fake-api";

const PARTS = [{ tag: "p", html: "Between you and {organisation}, at {contact_email}." }] as const;
const NAMES = {
  ...NAME_SLOTS,
  organisation: "Jara & Co",
  contact_email: "hello@jara.example",
};

function page(cache: ResourceCache) {
  return (
    <ResourceProvider cache={cache}>
      <LegalText parts={PARTS} />
    </ResourceProvider>
  );
}

test("a legal text shows the names that came with the page and does not change", async () => {
  const api = fakeApi({});
  const complaints = vi.spyOn(console, "error");
  const seeds = { "/config#names": NAMES };
  const config = aConfig({ organisation: "Jara & Co", contactEmail: "hello@jara.example" });
  const root = document.createElement("div");
  root.innerHTML = renderToString(page(new ResourceCache(seeds)));
  document.body.append(root);
  const paragraph = root.querySelector(".prose p")?.firstChild;
  expect(root).toHaveTextContent("Between you and Jara & Co, at hello@jara.example.");
  await act(async () => {
    hydrateRoot(root, page(new ResourceCache(seeds, { "/config": config })));
    await Promise.resolve();
  });
  expect(root.querySelector(".prose p")?.firstChild).toBe(paragraph);
  expect(root).toHaveTextContent("Between you and Jara & Co, at hello@jara.example.");
  expect(complaints).not.toHaveBeenCalled();
  expect(api.calls).toEqual([]);
});
