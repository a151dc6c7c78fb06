import { apiSend } from "@/lib/api/api-client";
import { flag, nothing, object, optional, text, withDefault, type Infer } from "@/lib/api/decode";
import { DEVICE, read } from "@/lib/session/token-storage";

/** Spec §3: success, token, message. */
const loginAnswer = object({
  success: withDefault(flag, true),
  token: optional(text),
  message: optional(text),
  device: optional(text),
});

/** Signs in; a device that signed in before need not wait after others' failed attempts. */
export function signIn(email: string, password: string): Promise<Infer<typeof loginAnswer>> {
  const device = read(DEVICE);
  const body = device === null ? { email, password } : { email, password, device };
  return apiSend("POST", "/user/login", body, loginAnswer);
}

/** Requests a reset link by email; the answer does not reveal whether the address has an account. */
export function askForReset(email: string): Promise<null> {
  return apiSend("POST", "/user/forgot-password", { email }, nothing);
}

/** Confirms an account's address with the code from the email. */
export function confirmAddress(code: string): Promise<null> {
  return apiSend("POST", "/confirm-address", { code }, nothing);
}

/** Undoes a changed address or password with the code from the email. */
export function undoChange(code: string): Promise<null> {
  return apiSend("POST", "/undo-change", { code }, nothing);
}

/** Stops a monthly pledge with the code from an email. */
export function stopPledge(code: string): Promise<null> {
  return apiSend("POST", "/stop-pledge", { code }, nothing);
}

/** Checks whether a reset link still works, without using it up. */
export function checkResetCode(code: string): Promise<null> {
  return apiSend("POST", "/user/reset-password/check", { code }, nothing);
}

export function setNewPassword(
  code: string,
  newPassword: string,
  confirmNewPassword: string,
): Promise<null> {
  const body = { code, newPassword, confirmNewPassword };
  return apiSend("POST", "/user/reset-password", body, nothing);
}
