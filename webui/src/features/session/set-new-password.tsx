import { useEffect, useState, type FormEvent } from "react";
import { Link } from "react-router-dom";
import { Alert } from "@/components/alert/alert";
import { Button, ButtonLink } from "@/components/button/button";
import { Field } from "@/components/field/field";
import sessionTexts from "@/messages/en/session.json";
import { ApiError, apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { DEVICE, write } from "@/lib/session/token-storage";
import { paths } from "@/lib/page/paths";
import { useFailure } from "@/lib/ui/use-failure";
import { passwordMin } from "@/rules.json";
import styles from "./session.module.css";

const t = translator(sessionTexts);

/** Sets a new password with the code from the email; an invited member's is the first. */
export function SetNewPassword({ code, isFirst }: { readonly code: string; readonly isFirst: boolean }) {
  const [first, setFirst] = useState("");
  const [second, setSecond] = useState("");
  const [state, setState] = useState<"typing" | "sending" | "done">("typing");
  const [error, setError] = useFailure<ApiError>();
  const [differ, setDiffer] = useState(false);
  const [spent, setSpent] = useState<string | null>(null);
  useEffect(() => {
    apiSend("POST /user/reset-password/check", { code }).catch((failure: unknown) => {
      // Only a refusal counts: offline says nothing about the link.
      if (failure instanceof ApiError && failure.code === "unusable_code") setSpent(failure.message);
    });
  }, [code]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setDiffer(first !== second);
    if (first === "" || first !== second) return;
    setState("sending");
    setError(null);
    try {
      const passwords = { newPassword: first, confirmNewPassword: second };
      const { device } = await apiSend("POST /user/reset-password", { code, ...passwords });
      write(DEVICE, device);
      setState("done");
    } catch (failure) {
      setState("typing");
      setError(failure instanceof ApiError ? failure : new ApiError(0, {}, String(failure)));
    }
  };
  if (state === "done") return <Done isFirst={isFirst} />;
  if (spent !== null) return <Spent reason={spent} />;
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <h1>{t(isFirst ? "reset.first" : "reset.set")}</h1>
      <p className={styles.lead}>{t(isFirst ? "reset.first-text" : "reset.set-text")}</p>
      <Field
        autoComplete="new-password"
        error={error?.fields["newPassword"]}
        help={t("reset.help", { minimum: passwordMin })}
        label={t("reset.new")}
        onChange={(event) => setFirst(event.target.value)}
        type="password"
        value={first}
      />
      <Field
        autoComplete="new-password"
        error={differ ? t("reset.different") : error?.fields["confirmNewPassword"]}
        label={t("reset.repeat")}
        onChange={(event) => {
          setSecond(event.target.value);
          setDiffer(false);
        }}
        type="password"
        value={second}
      />
      {error === null ? null : (
        <Alert kind="danger" title={error.message}>
          <p>
            <Link className="link" to={paths.resetPassword}>
              {t("reset.other-link")}
            </Link>
          </p>
        </Alert>
      )}
      <Button
        block
        busy={state === "sending" ? t("reset.set-busy") : false}
        size="lg"
        type="submit"
      >
        {t("reset.set-go")}
      </Button>
    </form>
  );
}

function Spent({ reason }: { readonly reason: string }) {
  return (
    <div className={styles.form}>
      <h1>{t("reset.set")}</h1>
      <Alert kind="danger" title={reason}>
        <p>
          <Link className="link" to={paths.resetPassword}>
            {t("reset.other-link")}
          </Link>
        </p>
      </Alert>
    </div>
  );
}

function Done({ isFirst }: { readonly isFirst: boolean }) {
  return (
    <div className={styles.form} role="status">
      <h1>{t(isFirst ? "reset.first-done" : "reset.done")}</h1>
      <p className={styles.lead}>{t(isFirst ? "reset.first-done-text" : "reset.done-text")}</p>
      <ButtonLink block size="lg" to={paths.login}>
        {t("to-login")}
      </ButtonLink>
    </div>
  );
}
