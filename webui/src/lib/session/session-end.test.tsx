import { render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeApi, refusal, withStatus } from "@/testing/fake-api";
import { apiSend } from "@/lib/api/api-client";
import { Notices } from "@/lib/ui/notify";
import { ResourceCache, ResourceProvider, useResource } from "@/lib/api/resource";
import { readToken, storeToken } from "./token-storage";

const ENDED = "Your sign-in has ended; please sign in again.";

function Who() {
  return <p>{useResource("/config").data?.organisation ?? "nobody yet"}</p>;
}

function show(): void {
  storeToken("an.old.one");
  render(
    <ResourceProvider cache={new ResourceCache()}>
      <Who />
      <Notices />
    </ResourceProvider>,
  );
}

test("a 401 ends the session and refetches everything", async () => {
  const api = fakeApi({ "GET /config": { organisation: "Ama" }, "PUT /user/pledge": refusal(401, ENDED) });
  show();
  expect(await screen.findByText("Ama")).toBeVisible();
  api.answer("GET /config", { organisation: "a visitor" });
  await expect(apiSend("PUT /user/pledge", {})).rejects.toThrow(ENDED);
  expect(readToken()).toBeNull();
  expect(await screen.findByText("a visitor")).toBeVisible();
  expect(await screen.findByText(ENDED)).toBeVisible();
});

test("a 401 for an old token does not end a newer session", async () => {
  const late = () => {
    storeToken("a.new.one");
    return refusal(401, ENDED);
  };
  fakeApi({ "GET /config": { organisation: "Ama" }, "PUT /user/pledge": late });
  show();
  await expect(apiSend("PUT /user/pledge", {})).rejects.toThrow(ENDED);
  expect(readToken()).toBe("a.new.one");
});

test("a renewed token replaces only the token that was sent", async () => {
  const renewed = () => withStatus(200, {}, { token: "re.new.ed" });
  const api = fakeApi({ "GET /config": { organisation: "Ama" }, "PUT /user/pledge": renewed });
  show();
  await apiSend("PUT /user/pledge", {});
  expect(readToken()).toBe("re.new.ed");
  api.answer("PUT /user/pledge", () => {
    storeToken("another.member.s");
    return renewed();
  });
  await apiSend("PUT /user/pledge", {});
  expect(readToken()).toBe("another.member.s");
});

test("the cache is cleared when another member signs in in another tab", async () => {
  const api = fakeApi({ "GET /config": { organisation: "Ama" } });
  show();
  expect(await screen.findByText("Ama")).toBeVisible();
  api.answer("GET /config", { organisation: "Kofi" });
  window.dispatchEvent(new StorageEvent("storage", { key: "token", newValue: "an.other.one" }));
  await waitFor(() => expect(screen.getByText("Kofi")).toBeVisible());
});
