import { render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeApi, refusal, withStatus } from "@/testing/fake-api";
import { apiSend } from "@/lib/api/api-client";
import { nothing, text } from "@/lib/api/decode";
import { Notices } from "@/lib/ui/notify";
import { ResourceCache, ResourceProvider, useResource, type Resource } from "@/lib/api/resource";
import { readToken, storeToken } from "./token-storage";

const ENDED = "Your sign-in has ended; please sign in again.";
const who: Resource<string> = { path: "/who", decode: text };

function Who() {
  return <p>{useResource(who).data ?? "nobody yet"}</p>;
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
  const api = fakeApi({ "GET /who": "Ama", "PUT /change": refusal(401, ENDED) });
  show();
  expect(await screen.findByText("Ama")).toBeVisible();
  api.answer("GET /who", "a visitor");
  await expect(apiSend("PUT", "/change", {}, nothing)).rejects.toThrow(ENDED);
  expect(readToken()).toBeNull();
  expect(await screen.findByText("a visitor")).toBeVisible();
  expect(await screen.findByText(ENDED)).toBeVisible();
});

test("a 401 for an old token does not end a newer session", async () => {
  const late = () => {
    storeToken("a.new.one");
    return refusal(401, ENDED);
  };
  fakeApi({ "GET /who": "Ama", "PUT /change": late });
  show();
  await expect(apiSend("PUT", "/change", {}, nothing)).rejects.toThrow(ENDED);
  expect(readToken()).toBe("a.new.one");
});

test("a renewed token replaces only the token that was sent", async () => {
  const renewed = () => withStatus(200, {}, { token: "re.new.ed" });
  const api = fakeApi({ "GET /who": "Ama", "PUT /change": renewed });
  show();
  await apiSend("PUT", "/change", {}, nothing);
  expect(readToken()).toBe("re.new.ed");
  api.answer("PUT /change", () => {
    storeToken("another.member.s");
    return renewed();
  });
  await apiSend("PUT", "/change", {}, nothing);
  expect(readToken()).toBe("another.member.s");
});

test("the cache is cleared when another member signs in in another tab", async () => {
  const api = fakeApi({ "GET /who": "Ama" });
  show();
  expect(await screen.findByText("Ama")).toBeVisible();
  api.answer("GET /who", "Kofi");
  window.dispatchEvent(new StorageEvent("storage", { key: "token", newValue: "an.other.one" }));
  await waitFor(() => expect(screen.getByText("Kofi")).toBeVisible());
});
