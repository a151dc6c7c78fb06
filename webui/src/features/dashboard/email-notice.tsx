import { Link } from "react-router-dom";
import { Alert } from "@/components/alert/alert";
import membershipTexts from "@/messages/en/membership.json";
import { useMemberArea } from "@/lib/member/member-context";
import { useServerDay } from "@/lib/models/use-server-day";
import { paths } from "@/lib/page/paths";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";

const t = translator(membershipTexts);

/** Says that emails to the member come back, and where to correct the address. */
export function EmailNotice() {
  const { email, emailStoppedOn } = useMemberArea().member;
  const today = new Date(useServerDay());
  if (emailStoppedOn === null) return null;
  return (
    <Alert kind="warning" title={t("stopped.title")}>
      <p>{t("stopped.text", { date: formatDate(emailStoppedOn, today), email })}</p>
      <Link to={paths.account}>{t("stopped.link")}</Link>
    </Alert>
  );
}
