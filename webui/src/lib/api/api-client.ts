import commonTexts from "@/messages/en/common.json";
import { LANGUAGE, translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import { endSession, readToken, storeToken } from "@/lib/session/token-storage";
import type { Answer, Body, Call, Path, Reply } from "./calls";
import { noteAnswerTime } from "./server-clock";
import { noteStored } from "./stored-answers";

const t = translator(commonTexts);

const TIMEOUT_MS = 30_000;
// A crowd that arrives in the same moment is served within half a minute; see tests/faults/test_crowds.py.
const TRIES_MAX = 10;
const WAIT_MAX_S = 10;
const BUSY = "busy";

/** A failed API call; `message` can be shown to the user. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>, fallback: string) {
    super(firstText(body["message"], body["error"]) ?? fallback);
    this.name = "ApiError";
    this.status = status;
    this.body = body;
    this.code = firstText(body["code"]) ?? (status === 0 ? "offline" : "unknown");
    this.fields = textFields(body["fields"]);
  }
}

export type CallOptions = {
  readonly signal?: AbortSignal;
  /** Makes a repeated registration or gift safe: the same key never charges twice. */
  readonly idempotencyKey?: string;
};

/** GET /api<path>. */
export function apiGet<const P extends Path>(path: P, options: CallOptions = {}): Promise<Answer<P>> {
  return call("GET", path, undefined, options) as Promise<Answer<P>>;
}

/** Makes a call that changes something, such as `POST /user/votes`. */
export function apiSend<const C extends Call>(
  name: C,
  body: Body<C>,
  options: CallOptions = {},
): Promise<Reply<C>> {
  const [method = "", path = ""] = name.split(" ");
  return call(method, path, body, options) as Promise<Reply<C>>;
}

/** GET /api<path> as a file. */
export async function apiDownload(path: string): Promise<Blob> {
  const token = readToken();
  const response = await takeTurn(["GET", path, undefined, {}, token]);
  if (!response.ok) throw await refusal(response, token);
  return response.blob();
}

async function call(
  method: string,
  path: string,
  body: object | undefined,
  options: CallOptions,
): Promise<unknown> {
  const token = readToken();
  const response = await takeTurn([method, path, body, options, token]);
  if (!response.ok) throw await refusal(response, token);
  const answer = await readJson(response);
  // A network's sign-in page, for example.
  if (answer === null) throw unreached();
  const renewed = response.headers.get("token");
  if (renewed !== null && renewed !== "" && isCurrent(token)) storeToken(renewed);
  return answer;
}

/** The error of what got no answer. */
export function unreached(): ApiError {
  return new ApiError(0, {}, t("error.unreached"));
}

async function refusal(response: Response, token: string | null): Promise<ApiError> {
  const answer = await readJson(response);
  const error = new ApiError(
    response.status,
    isRecord(answer) ? answer : {},
    t("error.ours"),
  );
  if (error.status === 401 && isCurrent(token)) {
    notify.error(error.message);
    endSession();
  }
  return error;
}

// False after signing out or in again: the answer then belongs to another session.
function isCurrent(token: string | null): boolean {
  return token !== null && token === readToken();
}

/** Whether a server or its proxy did nothing with a request, because others are served. */
async function isBusy(response: Response): Promise<boolean> {
  if (response.status !== 503 && response.status !== 429) return false;
  const answer = await readJson(response.clone());
  // A 429 that is not in the server's form comes from a proxy: many people share one network.
  return isRecord(answer) ? answer["code"] === BUSY : response.status === 429;
}

/** Makes a request, again and again while the server serves others and did nothing with it. */
async function takeTurn(request: Parameters<typeof reach>, tries = 1): Promise<Response> {
  const response = await reach(...request);
  if (tries === TRIES_MAX || !(await isBusy(response))) {
    if (tries > 1) notify.dismiss(BUSY);
    return response;
  }
  notify.warning(t("error.busy"), BUSY);
  // A proxy may name a day instead of seconds, or none.
  const seconds = Math.min(Number(response.headers.get("retry-after")) || 2, WAIT_MAX_S) + Math.random() * 2;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  request[3].signal?.throwIfAborted();
  return takeTurn(request, tries + 1);
}

async function reach(
  method: string,
  path: string,
  body: object | undefined,
  options: CallOptions,
  token: string | null,
): Promise<Response> {
  const deadline = new AbortController();
  const stop = () => deadline.abort();
  const timer = setTimeout(stop, TIMEOUT_MS);
  options.signal?.addEventListener("abort", stop);
  try {
    const response = await fetch(`/api${path}`, {
      method,
      headers: headers(token, body !== undefined, options.idempotencyKey),
      signal: deadline.signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    noteAnswerTime(response.headers.get("date"));
    noteStored(response.headers.get("stored"));
    return response;
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw unreached();
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", stop);
  }
}

function headers(
  token: string | null,
  hasBody: boolean,
  idempotencyKey: string | undefined,
): Record<string, string> {
  return {
    Accept: "application/json",
    // Errors are shown in the language of the page.
    "Accept-Language": LANGUAGE,
    ...(hasBody ? { "Content-Type": "application/json" } : {}),
    ...(token === null ? {} : { token }),
    ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
  };
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstText(...values: readonly unknown[]): string | null {
  const found = values.find((value) => typeof value === "string" && value !== "");
  return typeof found === "string" ? found : null;
}

function textFields(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}
