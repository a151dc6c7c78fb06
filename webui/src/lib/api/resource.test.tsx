import { act, render, screen, waitFor } from "@testing-library/react";
import { Suspense, use } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { fakeApi } from "@/testing/fake-api";
import { ResourceCache, ResourceProvider, useResource } from "./resource";


function Counter() {
  const { data, status } = useResource("/stats");
  return <p>{data === null ? status : `count ${data.donations}`}</p>;
}

function shown(cache: ResourceCache) {
  return (
    <ResourceProvider cache={cache}>
      <Counter />
    </ResourceProvider>
  );
}

test("an embedded live answer is shown and not refetched", async () => {
  const api = fakeApi({ "GET /stats": { donations: 9 } });
  render(shown(new ResourceCache({}, { "/stats": { donations: 5 } })));
  await act(async () => await Promise.resolve());
  expect(screen.getByText("count 5")).toBeVisible();
  expect(api.calls).toEqual([]);
});

test("a prerendered answer is shown and refetched", async () => {
  fakeApi({ "GET /stats": { donations: 9 } });
  render(shown(new ResourceCache({ "/stats": { donations: 5 } })));
  expect(screen.getByText("count 5")).toBeVisible();
  expect(await screen.findByText("count 9")).toBeVisible();
});

test.each([
  ["nothing", {}, "loading"],
  ["an older answer", { "/stats": { donations: 1 } }, "count 1"],
])("a page that was drawn with %s is taken over as it is, and shows the live answer then", async (_what, seeds, drawn) => {
  const api = fakeApi({});
  const complaints = vi.spyOn(console, "error");
  const root = document.createElement("div");
  root.innerHTML = renderToString(shown(new ResourceCache(seeds)));
  document.body.append(root);
  expect(root).toHaveTextContent(drawn);
  await act(async () => {
    hydrateRoot(root, shown(new ResourceCache(seeds, { "/stats": { donations: 5 } })));
    await Promise.resolve();
  });
  expect(root).toHaveTextContent("count 5");
  expect(complaints).not.toHaveBeenCalled();
  expect(api.calls).toEqual([]);
});

test("after sign-in no visitor's embedded answer is shown", async () => {
  fakeApi({ "GET /stats": { donations: 9 } });
  const cache = new ResourceCache({}, { "/stats": { donations: 5 } });
  cache.clear();
  render(shown(cache));
  expect(await screen.findByText("count 9")).toBeVisible();
});

test("what is on the screen stays until the parts that show an answer have loaded", async () => {
  fakeApi({ "GET /stats": { donations: 9 } });
  const loading = new Promise<string>(() => undefined);
  function Part() {
    const { data } = useResource("/stats");
    return <p>{data?.donations === 9 ? use(loading) : `count ${data?.donations ?? 0}`}</p>;
  }
  const cache = new ResourceCache({ "/stats": { donations: 5 } });
  const { container } = render(
    <ResourceProvider cache={cache}>
      <Suspense fallback="waiting">
        <Part />
      </Suspense>
    </ResourceProvider>,
  );
  await waitFor(() => expect(cache.state("/stats").data).toEqual({ donations: 9 }));
  await act(async () => await Promise.resolve());
  expect(container).toHaveTextContent(/^count 5$/);
});
