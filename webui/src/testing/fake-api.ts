import { vi } from "vitest";

/** An answer: a body, a status with a body, or a function of the request. */
export type Answer = unknown | ((request: FakeRequest) => unknown);

export type FakeRequest = {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

export type FakeApi = {
  /** All calls, in order. */
  readonly calls: FakeRequest[];
  /** Replaces the answer of a call. */
  readonly answer: (call: string, answer: Answer) => void;
};

/** Marks an answer with a status. */
export function withStatus(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

/** An error answer. */
export function refusal(
  status: number,
  message: string,
  fields?: Record<string, string>,
): Response {
  return withStatus(status, { success: false, code: "refused", message, error: message, fields });
}

/** Answers /api calls in a test. Keys are "GET /stats"; a call without an answer is a 404. */
export function fakeApi(answers: Readonly<Record<string, Answer>>): FakeApi {
  const known = new Map<string, Answer>(Object.entries(answers));
  const calls: FakeRequest[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit = {}) => {
    const request: FakeRequest = {
      method: init.method ?? "GET",
      path: url.replace(/^\/api/, ""),
      body: typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
      headers: init.headers as Record<string, string>,
    };
    calls.push(request);
    return Promise.resolve(respond(known.get(`${request.method} ${request.path}`), request));
  });
  return { calls, answer: (call, answer) => void known.set(call, answer) };
}

function respond(answer: Answer, request: FakeRequest): Response | Promise<Response> {
  const given: unknown = typeof answer === "function" ? answer(request) : answer;
  if (given instanceof Response) return given.clone();
  if (given instanceof Promise) return given as Promise<Response>;
  if (given === undefined) return refusal(404, "There is nothing here.");
  return withStatus(200, given);
}
