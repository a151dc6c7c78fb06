import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeApi } from "@/testing/fake-api";
import { number, object } from "./decode";
import { ResourceCache, ResourceProvider, useResource, type Resource } from "./resource";

type Count = { readonly count: number };
const counted: Resource<Count> = { path: "/stats", decode: object({ count: number }) };
const SENT = { "/stats": { count: 5 } };

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function Counter() {
  const { data, status } = useResource(counted);
  return <p>{data === null ? status : `count ${data.count}`}</p>;
}

/** Shows a page with the count, as often as somebody comes back to it. */
async function visit(cache: ResourceCache) {
  cleanup();
  render(
    <ResourceProvider cache={cache}>
      <Counter />
    </ResourceProvider>,
  );
  await act(async () => await Promise.resolve());
}

test.each([
  ["came with the page", () => new ResourceCache({}, SENT), 0],
  ["was read", () => new ResourceCache(), 1],
])("an answer that %s is good for a minute, and shown while it is read again", async (_how, open, asked) => {
  const api = fakeApi({ "GET /stats": asked === 0 ? { count: 9 } : { count: 5 } });
  const cache = open();
  await visit(cache);
  expect(await screen.findByText("count 5")).toBeVisible();
  vi.advanceTimersByTime(59_000);
  await visit(cache);
  expect(api.calls).toHaveLength(asked);
  vi.advanceTimersByTime(1000);
  const renewed = fakeApi({ "GET /stats": { count: 12 } });
  await visit(cache);
  expect(await screen.findByText("count 12")).toBeVisible();
  expect(renewed.calls).toHaveLength(1);
});

test("a prerendered answer is shown until the new one arrives", async () => {
  fakeApi({ "GET /stats": { count: 12 } });
  const cache = new ResourceCache({}, SENT);
  vi.advanceTimersByTime(60_000);
  render(
    <ResourceProvider cache={cache}>
      <Counter />
    </ResourceProvider>,
  );
  expect(screen.getByText("count 5")).toBeVisible();
  expect(await screen.findByText("count 12")).toBeVisible();
});

test("invalidating also drops unused embedded answers", async () => {
  fakeApi({ "GET /stats": { count: 12 } });
  const cache = new ResourceCache({}, SENT);
  cache.invalidate("/");
  await visit(cache);
  expect(await screen.findByText("count 12")).toBeVisible();
});
