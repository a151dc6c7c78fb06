import membershipTexts from "@/messages/en/membership.json";
import { useMemberArea } from "@/lib/member/member-context";
import { formatDollarsOfCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";

const t = translator(membershipTexts);

/** The button's text, with what is taken: a charge that failed keeps its amount. */
export function usePayNowText(): string {
  const { dueCents } = useMemberArea().member;
  return t("pledge.pay-now", { amount: formatDollarsOfCents(dueCents ?? 0) });
}
