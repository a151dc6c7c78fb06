import { apiGet, apiSend } from "@/lib/api/api-client";
import type { Decoder } from "@/lib/api/decode";
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

export function deleteAccount(currentPassword?: string): Promise<Changed> {
  const body = currentPassword === undefined ? {} : { currentPassword };
  return apiSend("DELETE", "/user/delete-account", body, changed);
}

const asItIs: Decoder<unknown> = (value) => value;
