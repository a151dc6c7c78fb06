import { apiSend } from "@/lib/api/api-client";
import { changed, type Changed } from "@/lib/member/changed";

/** Keeps the language with the member, so that emails follow it. */
export function keepLanguage(language: string): Promise<Changed> {
  return apiSend("PUT", "/user/update-profile", { language }, changed);
}
