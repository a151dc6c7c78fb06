import { Button, ButtonAnchor, type Look } from "@/components/button/button";
import membershipTexts from "@/messages/en/membership.json";
import { useMemberArea } from "@/lib/member/member-context";
import { useSiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";

const t = translator(membershipTexts);
const GETS_NEWS: ReadonlySet<string> = new Set(["at-once", "monthly"]);

/** Leads to the chat. Until it opens, says so: whoever gets news will be told by email. */
export function ChatButton(look: Look) {
  const chatUrl = useSiteConfig().data?.chatUrl ?? null;
  const { member } = useMemberArea();
  if (chatUrl !== null) return <ButtonAnchor {...look} href={chatUrl} newTab />;
  const sentence = GETS_NEWS.has(member.emailChoice) ? "chat.not-yet" : "chat.closed";
  return <Button {...look} onClick={() => notify.warning(t(sentence))} />;
}
