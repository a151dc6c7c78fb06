import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { Alert } from "@/components/alert/alert";
import { Button, ButtonLink } from "@/components/button/button";
import newsletterTexts from "@/messages/en/newsletter.json";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { confirmSubscription, unsubscribe } from "./api";
import styles from "./code-page.module.css";

const t = translator(newsletterTexts);
const CALLS = { confirm: confirmSubscription, unsubscribe } as const;

/**
 * Target of a link in an email. It acts only on a click, because mail scanners open links.
 */
export function CodePage({ act }: { readonly act: "confirm" | "unsubscribe" }) {
  const code = useSearchParams()[0].get("code");
  const [state, setState] = useState<"asking" | "sending" | "done">("asking");
  const [error, setError] = useState<string | null>(null);
  const send = async () => {
    if (code === null) return;
    setState("sending");
    setError(null);
    try {
      await CALLS[act](code);
      setState("done");
    } catch (failure) {
      setState("asking");
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  if (code === null || code === "") return <Note text={t("no-code-text")} title={t("no-code")} />;
  if (state === "done") return <Note text={t(`${act}.done-text`)} title={t(`${act}.done`)} />;
  return (
    <div className={`wrap narrow section ${styles.page}`}>
      <h1>{t(act)}</h1>
      <p className="lead">{t(`${act}.text`)}</p>
      {error === null ? null : (
        <Alert kind="danger">
          <p>{error}</p>
        </Alert>
      )}
      <Button
        busy={state === "sending" ? t(`${act}.busy`) : false}
        onClick={() => void send()}
        size="lg"
      >
        {t(`${act}.go`)}
      </Button>
    </div>
  );
}

function Note({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className={`wrap narrow section ${styles.page}`} role="status">
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      <ButtonLink to={paths.home}>{t("home")}</ButtonLink>
    </div>
  );
}
