import accountTexts from "@/messages/en/account.json";
import { useMemberArea } from "@/lib/member/member-context";
import { formatDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";

const t = translator(accountTexts);

/** What stopping the pledge does, for those who pay by card and for the others. */
export function StopsToday() {
  const { member } = useMemberArea();
  const stops = t("plan.stop-confirm", { amount: formatDollars(member.subscriptionAmount) });
  return <p>{`${stops} ${t(member.way === "card" ? "plan.stop-card" : "plan.stop-order")}`}</p>;
}
