import { describe, expect, test, vi } from "vitest";
import { fakeApi, refusal, withStatus } from "@/testing/fake-api";
import { apiGet, apiSend, type ApiError } from "./api-client";
import { list, nothing, number, object, text } from "./decode";
import { readVoteStatus, storeVoteStatus } from "@/lib/session/ballot-storage";
import { forgetSession, readToken, storeToken } from "@/lib/session/token-storage";

const MEMBER_A = "h.eyJzdWIiOiJhIn0.s";
const MEMBER_B = "h.eyJzdWIiOiJiIn0.s";

describe("calls", () => {
  test("the token travels in the header named token, and a renewed one is kept", async () => {
    storeToken("old");
    const api = fakeApi({ "GET /x": withStatus(200, {}, { token: "new" }) });
    await apiGet("/x", nothing);

    expect(api.calls[0]?.headers["token"]).toBe("old");
    expect(readToken()).toBe("new");
  });

  test("a visitor sends no token, and no answer signs them in", async () => {
    const api = fakeApi({ "GET /x": withStatus(200, {}, { token: "new" }) });
    await apiGet("/x", nothing);

    expect(api.calls[0]?.headers["token"]).toBeUndefined();
    expect(readToken()).toBeNull();
  });

  test("a refusal carries the server's words, code and fields", async () => {
    fakeApi({
      "POST /x": refusal(422, "The minimum pledge is $5.", { contribution: "Too small." }),
    });

    await expect(apiSend("POST", "/x", { a: 1 }, nothing)).rejects.toMatchObject({
      status: 422,
      code: "refused",
      message: "The minimum pledge is $5.",
      fields: { contribution: "Too small." },
    } satisfies Partial<ApiError>);
  });

  test("an answer that is not JSON becomes an error with a default message", async () => {
    fakeApi({ "GET /x": new Response("<html>", { status: 502 }) });

    await expect(apiGet("/x", nothing)).rejects.toMatchObject({ status: 502, code: "unknown" });
  });

  test("an unreachable server is distinguished from a refusal", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));

    await expect(apiGet("/x", nothing)).rejects.toMatchObject({ status: 0, code: "offline" });
  });
});

describe("decoding", () => {
  test("the error names the field and the expected type", () => {
    const decode = object({ rows: list(object({ cents: number, name: text })) });

    expect(() =>
      decode({
        rows: [
          { cents: 1, name: "a" },
          { cents: "2", name: "b" },
        ],
      }),
    ).toThrow("rows[1].cents: expected a number, got string");
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
