import { useEffect, useRef, useState, type FormEvent } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { Field } from "@/components/field/field";
import sessionTexts from "@/messages/en/session.json";
import { apiSend } from "@/lib/api/api-client";
import { pledgeLimits } from "@/lib/payments/pledge-limits";
import { rich, translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import { pageBefore } from "@/lib/page/page-before";
import { paths } from "@/lib/page/paths";
import { useHydrated } from "@/lib/page/use-hydrated";
import { textIn, usePrehydrationInput } from "@/lib/page/use-prehydration-input";
import { useSignIn, useToken } from "@/lib/session/session";
import { DEVICE, read, readToken, write } from "@/lib/session/token-storage";
import { PasskeyButton } from "./passkey-button";
import styles from "./session.module.css";

const t = translator(sessionTexts);

/**
 * Sign-in form. Signing in leads back to the page that was open before; with a token from before,
 * the page redirects home (spec §2).
 */
export function LoginForm() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const form = usePrehydrationInput((typed) => {
    setEmail(textIn(typed, "email"));
    setPassword(textIn(typed, "password"));
  });
  const hydrated = useHydrated();
  const keepToken = useSignIn();
  // What the page before did not do because the session had ended.
  const { state } = useLocation() as { readonly state: unknown };
  const failure = useFailureNotice();
  useLeaveWhenSignedIn();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // Spec §5: an empty field does nothing and shows no message.
    if (email.trim() === "") return emailField.current?.focus();
    if (password.trim() === "") return passwordField.current?.focus();
    setBusy(true);
    failure.dismiss();
    try {
      // A device that signed in before need not wait after others' failed attempts.
      const known = read(DEVICE) ?? undefined;
      const body = { email: email.trim(), password, device: known };
      const { token, device } = await apiSend("POST /user/login", body);
      notify.success(t("signed-in"));
      write(DEVICE, device);
      keepToken(token);
    } catch (error) {
      setBusy(false);
      failure.show(error);
    }
  };

  return (
    <>
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)} ref={form}>
        <h1>{t("login")}</h1>
        {hydrated && typeof state === "string" ? <Alert kind="danger">{state}</Alert> : null}
        <Field
          autoComplete="email"
          label={t("email")}
          name="email"
          onChange={(event) => setEmail(event.target.value)}
          ref={emailField}
          type="email"
          value={email}
        />
        <Field
          autoComplete="current-password"
          label={t("password")}
          name="password"
          onChange={(event) => setPassword(event.target.value)}
          ref={passwordField}
          type="password"
          value={password}
        />
        <Button block busy={busy ? t("signing-in") : false} size="lg" type="submit">
          {t("sign-in")}
        </Button>
        <PasskeyButton />
        <Button block kind="line" onClick={() => notify.warning(t("google.not-yet"))}>
          {t("google")}
        </Button>
        <p className={styles.trouble}>
          <Link className="link" to={paths.resetPassword}>
            {t("trouble")}
          </Link>
        </p>
      </form>
      <JoinInstead />
    </>
  );
}

function JoinInstead() {
  return (
    <p className={styles.other}>
      {rich(t("new-here", pledgeLimits()), {
        join: (inner) => (
          <Link className="link" to={paths.join}>
            {inner}
          </Link>
        ),
      })}
    </p>
  );
}

function useLeaveWhenSignedIn(): void {
  const token = useToken();
  const navigate = useNavigate();
  const [wasSignedIn] = useState(() => readToken() !== null);
  useEffect(() => {
    if (token === null) return;
    void navigate(wasSignedIn ? paths.home : pageBefore(), { replace: true });
  }, [token, wasSignedIn, navigate]);
}
