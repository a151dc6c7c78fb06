import { apiSend } from "@/lib/api/api-client";
import { flag, nothing, object, optional, text, withDefault, type Infer } from "@/lib/api/decode";

/** Spec §3: success, token, message. */
const loginAnswer = object({
  success: withDefault(flag, true),
  token: optional(text),
  message: optional(text),
});

/** Signs in. */
export function signIn(email: string, password: string): Promise<Infer<typeof loginAnswer>> {
  return apiSend("POST", "/user/login", { email, password }, loginAnswer);
}

/** Requests a reset link by email; the answer does not reveal whether the address has an account. */
export function askForReset(email: string): Promise<null> {
  return apiSend("POST", "/user/forgot-password", { email }, nothing);
}

export function setNewPassword(
  code: string,
  newPassword: string,
  confirmNewPassword: string,
): Promise<null> {
  const body = { code, newPassword, confirmNewPassword };
  return apiSend("POST", "/user/reset-password", body, nothing);
}
