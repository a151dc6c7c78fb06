import { apiGet, apiSend } from "@/lib/api/api-client";
import { flag, list, object, text, type Decoder, type Infer } from "@/lib/api/decode";
import { changed, type Changed } from "@/lib/member/changed";

export type ProfileChange = Readonly<
  | { firstname: string; lastname: string }
  | { email: string }
  | { newPassword: string; confirmNewPassword: string }
  | { notifications: boolean }
>;

/** @param currentPassword is given when the server asked for it (403 reauth_required). */
export function updateProfile(change: ProfileChange, currentPassword?: string): Promise<Changed> {
  const body = currentPassword === undefined ? change : { ...change, currentPassword };
  return apiSend("PUT", "/user/update-profile", body, changed);
}

export function exportMyData(): Promise<unknown> {
  return apiGet("/user/export", asItIs);
}

export function signOutEverywhere(): Promise<Changed> {
  return apiSend("POST", "/user/logout-everywhere", {}, changed);
}

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

export function deleteAccount(currentPassword?: string): Promise<Changed> {
  const body = currentPassword === undefined ? {} : { currentPassword };
  return apiSend("DELETE", "/user/delete-account", body, changed);
}

const asItIs: Decoder<unknown> = (value) => value;
