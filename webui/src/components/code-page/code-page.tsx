import { useState, type ReactNode } from "react";
import { Alert } from "@/components/alert/alert";
import { Button, ButtonLink } from "@/components/button/button";
import commonTexts from "@/messages/en/code-page.json";
import { apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useQuery } from "@/lib/page/use-query";
import { asError, useFailure } from "@/lib/ui/use-failure";
import styles from "./code-page.module.css";

const t = translator(commonTexts);

export type CodePageTexts = {
  readonly title: string;
  readonly text: string;
  readonly go: string;
  readonly busy: string;
  readonly done: string;
  readonly doneText: string;
};

type CodePageProps = {
  readonly texts: CodePageTexts;
  /** What takes the code. */
  readonly call:
    | "POST /agree-address"
    | "POST /confirm-address"
    | "POST /newsletter/confirm"
    | "POST /newsletter/unsubscribe"
    | "POST /partners/confirm"
    | "POST /stop-pledge"
    | "POST /undo-change";
  /** What else the code can do. */
  readonly more?: (code: string) => ReactNode;
};

/**
 * Target of a link in an email. It acts only on a click, because mail scanners open links.
 */
export function CodePage({ texts, call, more }: CodePageProps) {
  const code = useQuery("code");
  const [state, setState] = useState<"asking" | "sending" | "done">("asking");
  const [error, setError] = useFailure();
  const act = async () => {
    if (!code) return;
    setState("sending");
    setError(null);
    try {
      await apiSend(call, { code });
      setState("done");
    } catch (failure) {
      setState("asking");
      setError(asError(failure));
    }
  };
  if (code === null) return <NoCode />;
  if (state === "done") return <Note text={texts.doneText} title={texts.done} />;
  return (
    <div className={`wrap narrow section ${styles.page}`}>
      <h1>{texts.title}</h1>
      <p className="lead">{texts.text}</p>
      {error === null ? null : (
        <Alert kind="danger">
          <p>{error.message}</p>
        </Alert>
      )}
      <Button busy={state === "sending" ? texts.busy : false} onClick={() => void act()} size="lg">
        {texts.go}
      </Button>
      {more?.(code ?? "")}
    </div>
  );
}

/** What a link without its code shows. */
export function NoCode() {
  return <Note text={t("no-code-text")} title={t("no-code")} />;
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

/** The texts of a page, from the messages whose keys begin with its name. */
export function textsOf<Name extends string>(
  message: (key: Name | `${Name}.${"text" | "go" | "busy" | "done" | "done-text"}`) => string,
  name: Name,
): CodePageTexts {
  return {
    title: message(name),
    text: message(`${name}.text`),
    go: message(`${name}.go`),
    busy: message(`${name}.busy`),
    done: message(`${name}.done`),
    doneText: message(`${name}.done-text`),
  };
}
