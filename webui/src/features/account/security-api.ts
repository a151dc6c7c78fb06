import { apiSend } from "@/lib/api/api-client";
import { flag, list, object, text, type Infer } from "@/lib/api/decode";
import { changed, type Changed } from "@/lib/member/changed";

const device = object({
  id: text,
  device: text,
  /** A day. */
  lastUsedOn: text,
  current: flag,
});

export type Device = Infer<typeof device>;

/** The devices on which the member is signed in. */
export const devices = { path: "/user/sessions", decode: list(device) };

export function signOutDevice(id: string): Promise<Changed> {
  return apiSend("DELETE", `/user/sessions/${encodeURIComponent(id)}`, undefined, changed);
}

const passkey = object({
  id: text,
  name: text,
  /** A day. */
  addedOn: text,
});

export type Passkey = Infer<typeof passkey>;

export const passkeys = { path: "/user/passkeys", decode: list(passkey) };

export function removePasskey(id: string): Promise<Changed> {
  return apiSend("DELETE", `/user/passkeys/${encodeURIComponent(id)}`, undefined, changed);
}
