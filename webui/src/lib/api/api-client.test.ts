import { describe, expect, test, vi } from "vitest";
import { fakeApi, refusal, withStatus } from "@/testing/fake-api";
import { apiGet, apiSend, type ApiError } from "./api-client";
import { readVoteStatus, storeVoteStatus } from "@/lib/session/ballot-storage";
import { forgetSession, readToken, storeToken } from "@/lib/session/token-storage";

const MEMBER_A = "h.eyJzdWIiOiJhIn0.s";
const MEMBER_B = "h.eyJzdWIiOiJiIn0.s";

describe("calls", () => {
  test("the token travels in the header named token, and a renewed one is kept", async () => {
    storeToken("old");
    const api = fakeApi({ "GET /config": withStatus(200, {}, { token: "new" }) });
    await apiGet("/config");

    expect(api.calls[0]?.headers["token"]).toBe("old");
    expect(readToken()).toBe("new");
  });

  test("a visitor sends no token, and no answer signs them in", async () => {
    const api = fakeApi({ "GET /config": withStatus(200, {}, { token: "new" }) });
    await apiGet("/config");

    expect(api.calls[0]?.headers["token"]).toBeUndefined();
    expect(readToken()).toBeNull();
  });

  test("a refusal carries the server's words, code and fields", async () => {
    fakeApi({
      "POST /newsletter": refusal(422, "The minimum pledge is $5.", { contribution: "Too small." }),
    });

    await expect(apiSend("POST /newsletter", { email: "" })).rejects.toMatchObject({
      status: 422,
      code: "refused",
      message: "The minimum pledge is $5.",
      fields: { contribution: "Too small." },
    } satisfies Partial<ApiError>);
  });

  test("an answer that is not JSON becomes an error with a default message", async () => {
    fakeApi({ "GET /config": new Response("<html>", { status: 502 }) });

    await expect(apiGet("/config")).rejects.toMatchObject({ status: 502, code: "unknown" });
  });

  test("an answer that is not JSON, such as a network's sign-in page, is no answer", async () => {
    fakeApi({ "GET /config": new Response("<html>") });

    await expect(apiGet("/config")).rejects.toMatchObject({ status: 0, code: "offline" });
  });

  test("an unreachable server is distinguished from a refusal", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));

    await expect(apiGet("/config")).rejects.toMatchObject({ status: 0, code: "offline" });
  });
});

describe("vote status", () => {
  test("vote status is stored per member and proposal until sign-out", () => {
    storeToken(MEMBER_A);
    storeVoteStatus("bees", "voted");

    expect(readVoteStatus("bees")).toBe("voted");
    expect(readVoteStatus("reef")).toBeNull();

    storeToken(MEMBER_B);

    expect(readVoteStatus("bees")).toBeNull();

    storeToken(MEMBER_A);

    expect(readVoteStatus("bees")).toBe("voted");

    forgetSession();
    storeToken(MEMBER_A);

    expect(readVoteStatus("bees")).toBeNull();
  });

  test("malformed storage is ignored", () => {
    localStorage.setItem("user_status", "voted");

    expect(readVoteStatus("bees")).toBeNull();
  });
});
