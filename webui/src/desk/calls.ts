// The calls of the desk. Its session is in the memory of this page alone.

import type {
  DecidedAct as Decided,
  Decision,
  Desk,
  DeskAct as Act,
  MadePasskey as Made,
  OpenedDesk as Opened,
  OpenInvitation as Invitation,
  ToSign,
} from "@/api/schema";
import { spoken } from "@/field/texts";

export type { Act, Decided, Decision, Desk, Invitation, Made, Opened, ToSign };

let token = "";

/** A refusal of the server, in the reader's language; `code` is empty without a network. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(message: string, code: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export function keepSession(opened: Opened | null): void {
  token = opened?.token ?? "";
}

/** The bytes of a file. */
export async function fetchBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await send("GET", path)).arrayBuffer());
}

export async function call<Answer>(method: "GET" | "POST", path: string, body?: unknown): Promise<Answer> {
  return (await (await send(method, path, body)).json()) as Answer;
}

async function send(method: "GET" | "POST", path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { "Accept-Language": spoken() };
  if (token !== "") headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    answer = await globalThis.fetch(`/api/desk${path}`, { method, headers, ...content });
  } catch {
    throw new Refusal("", "", 0);
  }
  if (answer.ok) return answer;
  const content = (await answer.json().catch(() => ({}))) as { message?: string; code?: string };
  throw new Refusal(content.message ?? "", content.code ?? "unknown", answer.status);
}
