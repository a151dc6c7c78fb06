import { apiSend } from "@/lib/api/api-client";
import { flag, nothing, object, optional, text, withDefault } from "@/lib/api/decode";

export type LoginAnswer = {
  readonly success: boolean;
  readonly token: string | null;
  readonly message: string | null;
};

const loginAnswer = object<LoginAnswer>({
  success: withDefault(flag, true),
  token: optional(text),
  message: optional(text),
});

/** Signs in (spec §3: success, token, message). */
export function signIn(email: string, password: string): Promise<LoginAnswer> {
  return apiSend("POST", "/user/login", { email, password }, loginAnswer);
}

/** Asks for a link by mail; the answer is the same whether the address has an account or not. */
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
