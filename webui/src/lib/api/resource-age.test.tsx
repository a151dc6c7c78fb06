import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeApi } from "@/testing/fake-api";
import { ResourceCache, ResourceProvider, useResource } from "./resource";

const SENT = { "/stats": { donations: 5 } };

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function Counter() {
  const { data, status } = useResource("/stats");
  return <p>{data === null ? status : `count ${data.donations}`}</p>;
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
  const api = fakeApi({ "GET /stats": asked === 0 ? { donations: 9 } : { donations: 5 } });
  const cache = open();
  await visit(cache);
  expect(await screen.findByText("count 5")).toBeVisible();
  vi.advanceTimersByTime(59_000);
  await visit(cache);
  expect(api.calls).toHaveLength(asked);
  vi.advanceTimersByTime(1000);
  const renewed = fakeApi({ "GET /stats": { donations: 12 } });
  await visit(cache);
  expect(await screen.findByText("count 12")).toBeVisible();
  expect(renewed.calls).toHaveLength(1);
});

test("a prerendered answer is shown until the new one arrives", async () => {
  fakeApi({ "GET /stats": { donations: 12 } });
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
  fakeApi({ "GET /stats": { donations: 12 } });
  const cache = new ResourceCache({}, SENT);
  cache.invalidate("/");
  await visit(cache);
  expect(await screen.findByText("count 12")).toBeVisible();
});
