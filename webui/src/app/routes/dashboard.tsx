import { MemberArea } from "@/features/membership/member-area";
import membershipTexts from "@/messages/en/membership.json";
import { translator } from "@/lib/messages";
import { PageMeta } from "@/lib/page-meta";

const t = translator(membershipTexts);

export function DashboardPage() {
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.title")} />
      <MemberArea />
    </>
  );
}
