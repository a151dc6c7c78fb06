import { SplitPage } from "@/components/split-page/split-page";
import { ClothPiece } from "@/components/tile/tile";
import { LoginForm } from "@/features/session/login-form";
import sessionTexts from "@/messages/en/session.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";

const t = translator(sessionTexts);

export function LoginPage() {
  return (
    <>
      <PageMeta description={t("meta.login-text")} title={t("meta.login")} />
      <SplitPage
        art={<ClothPiece columns={10} rows={6} />}
        narrow
        onlyWide
        tone="palm"
        words={<h2>{t("welcome")}</h2>}
      >
        <LoginForm />
      </SplitPage>
    </>
  );
}
