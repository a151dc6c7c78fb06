import { SplitPage } from "@/components/split-page/split-page";
import { ClothPiece } from "@/components/tile/tile";
import { AskForReset } from "@/features/session/ask-for-reset";
import { SetNewPassword } from "@/features/session/set-new-password";
import sessionTexts from "@/messages/en/session.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";
import { useQuery } from "@/lib/page/use-query";

const t = translator(sessionTexts);

/** Without a code: the form that requests a link. With the code of the link: the new password. */
export function ResetPasswordPage() {
  const code = useQuery("code");
  const isFirst = typeof useQuery("first") === "string";
  return (
    <>
      <PageMeta description={t("meta.reset-text")} index={false} title={t("meta.reset")} />
      <SplitPage
        art={<ClothPiece columns={10} from={3} rows={6} />}
        narrow
        onlyWide
        tone="palm"
        words={<h2>{t("reset.panel")}</h2>}
      >
        {code === undefined ? <div className="waiting" /> : null}
        {code === null ? <AskForReset /> : null}
        {code ? <SetNewPassword code={code} isFirst={isFirst} /> : null}
      </SplitPage>
    </>
  );
}
