import { afterEach, describe, expect, test, vi } from "vitest";
import { fakeApi, refusal, withStatus } from "@/testing/fake-api";
import { apiGet, apiSend, type ApiError } from "./api-client";
import { notify } from "@/lib/ui/notify";
import { readVoteStatus, storeVoteStatus } from "@/lib/session/ballot-storage";
import { forgetSession, readToken, storeToken } from "@/lib/session/token-storage";

const MEMBER_A = "h.eyJzdWIiOiJhIn0.s";
const MEMBER_B = "h.eyJzdWIiOiJiIn0.s";

afterEach(() => void vi.useRealTimers());

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

describe("a server that serves others", () => {
  const key = "0".repeat(32);
  const busy = withStatus(503, { code: "busy", message: "Many visitors." }, { "Retry-After": "2" });
  const join = () => apiSend("POST /user/logout", undefined, { idempotencyKey: key });

  test("is asked again, with the same key, until it has time", async () => {
    vi.useFakeTimers();
    const notice = vi.spyOn(notify, "warning");
    const proxy = new Response("<html>", { status: 429 });
    const answers = [busy, proxy, withStatus(200, { message: "Done." })];
    const api = fakeApi({ "POST /user/logout": () => answers.shift() });
    const answer = join();
    await vi.runAllTimersAsync();

    await expect(answer).resolves.toMatchObject({ message: "Done." });
    expect(api.calls.map((call) => call.headers["Idempotency-Key"])).toEqual([key, key, key]);
    expect(notice).toHaveBeenCalledWith(expect.stringContaining("Please wait"), "busy");
  });

  test("is asked ten times, then its words are shown", async () => {
    vi.useFakeTimers();
    const api = fakeApi({ "POST /user/logout": busy });
    const answer = expect(join()).rejects.toMatchObject({ status: 503, message: "Many visitors." });
    await vi.runAllTimersAsync();
    await answer;

    expect(api.calls).toHaveLength(10);
  });

  test.each([
    [503, "unavailable"],
    [429, "too_many_requests"],
  ])("is not asked again after another refusal: %i %s", async (status, code) => {
    const api = fakeApi({ "POST /user/logout": withStatus(status, { code }, { "Retry-After": "2" }) });
    await expect(join()).rejects.toMatchObject({ status });

    expect(api.calls).toHaveLength(1);
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
