import { useEffect, useState } from "react";
import { Alert } from "@/components/alert/alert";
import { NoCode } from "@/components/code-page/code-page";
import { asError, useFailure } from "@/lib/ui/use-failure";
import styles from "@/components/code-page/code-page.module.css";
import { EmailChoice } from "@/components/email-choice/email-choice";
import type { ChosenEmails, EmailChoice as Choice } from "@/api/schema";
import commonTexts from "@/messages/en/common.json";
import emailsTexts from "@/messages/en/emails.json";
import { apiSend } from "@/lib/api/api-client";
import { PageMeta } from "@/lib/page/page-meta";
import { useQuery } from "@/lib/page/use-query";
import { translator } from "@/lib/text/messages";

const t = translator(emailsTexts);
const common = translator(commonTexts);

/** The page behind the link in the footer of each email. Opening it changes nothing. */
export function EmailsPage() {
  const code = useQuery("code");
  return (
    <>
      <PageMeta description={t("meta.text")} index={false} title={t("meta.title")} />
      {code === null ? <NoCode /> : <LinkedChoice code={code} />}
    </>
  );
}

function LinkedChoice({ code }: { readonly code: string | undefined }) {
  const [address, setAddress] = useState<ChosenEmails | null>(null);
  const [saving, setSaving] = useState<"no" | "now" | "done">("no");
  const [error, setError] = useFailure();
  useEffect(() => {
    if (code === undefined) return;
    apiSend("POST /emails/choice", { code }).then(setAddress, (failure: unknown) => {
      setError(asError(failure));
    });
  }, [code, setError]);
  const save = async (choice: Choice) => {
    if (code === undefined) return;
    setSaving("now");
    setError(null);
    try {
      setAddress(await apiSend("POST /emails/choice", { code, choice }));
      setSaving("done");
    } catch (failure) {
      setError(asError(failure));
      setSaving("no");
    }
  };
  return (
    <div className={`wrap narrow section ${styles.page}`}>
      <h1>{t("page")}</h1>
      {address === null ? null : <p className="lead">{t(textOf(address), { email: address.email })}</p>}
      {error === null ? null : (
        <Alert kind="danger">
          <p>{error.message}</p>
        </Alert>
      )}
      {address === null ? null : (
        <EmailChoice
          busy={saving === "now"}
          chosen={address.choice}
          isMember={address.isMember}
          onSave={(choice) => void save(choice)}
        />
      )}
      <p role="status">{saving === "done" ? t("saved") : address === null && error === null ? common("loading") : ""}</p>
    </div>
  );
}

function textOf({ isMember, choice }: ChosenEmails) {
  return !isMember && choice === "nothing" ? "page.nobody" : "page.text";
}
