import { Link } from "react-router-dom";
import { CodePage, textsOf } from "@/components/code-page/code-page";
import emailsTexts from "@/messages/en/emails.json";
import newsletterTexts from "@/messages/en/newsletter.json";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";
import { paths } from "@/lib/page/paths";

const t = translator(newsletterTexts);
const emails = translator(emailsTexts);

export function NewsletterUnsubscribePage() {
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.unsubscribe")} />
      <CodePage
        call="POST /newsletter/unsubscribe"
        more={(code) => (
          <Link to={`${paths.emails}?code=${encodeURIComponent(code)}`}>{emails("page.instead")}</Link>
        )}
        texts={textsOf(t, "unsubscribe")}
      />
    </>
  );
}
