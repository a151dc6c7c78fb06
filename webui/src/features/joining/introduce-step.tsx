import { useState, type FormEvent } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/button/button";
import { Checkbox } from "@/components/field/checkbox";
import { Field } from "@/components/field/field";
import joiningTexts from "@/messages/en/joining.json";
import { ApiError, apiSend } from "@/lib/api/api-client";
import { rich, translator } from "@/lib/text/messages";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import { paths } from "@/lib/page/paths";
import { usePrehydrationInput } from "@/lib/page/use-prehydration-input";
import { passwordMin } from "@/rules.json";
import { CountryField } from "@/components/country-field/country-field";
import { faultsOf, missingField, type JoinDraftState } from "./join-draft";
import styles from "./joining.module.css";

const t = translator(joiningTexts);

/** Step 1: personal details. The email is checked before step 2 (spec §4). */
export function IntroduceStep({
  form,
  onChecked,
}: {
  readonly form: JoinDraftState;
  readonly onChecked: () => void;
}) {
  const { draft, password, faults, change, setFaults, takeOver } = form;
  const [busy, setBusy] = useState(false);
  const missing = missingField(draft, password);
  const drawn = usePrehydrationInput(takeOver);
  const failure = useFailureNotice();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (missing !== null || busy) return;
    setBusy(true);
    setFaults({});
    failure.dismiss();
    try {
      await apiSend("POST /email-exists", { email: draft.email.trim(), password });
      onChecked();
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError) setFaults(faultsOf(error));
      failure.show(error);
    }
  };
  return (
    <form
      className={styles.form}
      // If submitted before hydration, the password must not get into the address.
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      ref={drawn}
    >
      <Names form={form} />
      <Field
        autoComplete="email"
        error={faults["email"]}
        label={t("email")}
        name="email"
        onChange={(event) => change({ email: event.target.value })}
        type="email"
        value={draft.email}
      />
      <PasswordField error={faults["password"]} form={form} />
      <CountryField onChange={(country) => change({ country })} value={draft.country} />
      <Consents form={form} />
      <div>
        <Button
          aria-describedby="join-missing"
          block
          busy={busy ? t("checking") : false}
          disabled={missing !== null}
          size="lg"
          type="submit"
        >
          {t("next")}
        </Button>
        <p className={styles.below} id="join-missing">
          {missing === null ? null : t(`missing.${missing}`)}
        </p>
      </div>
      <p className={styles.other}>
        {rich(t("member-already"), {
          login: (inner) => (
            <Link className="link" to={paths.login}>
              {inner}
            </Link>
          ),
        })}
      </p>
    </form>
  );
}

function Names({ form: { draft, faults, change } }: { readonly form: JoinDraftState }) {
  return (
    <div className="two">
      <Field
        autoComplete="given-name"
        dir="auto"
        error={faults["firstname"]}
        label={t("firstname")}
        name="firstname"
        onChange={(event) => change({ firstname: event.target.value })}
        value={draft.firstname}
      />
      <Field
        autoComplete="family-name"
        dir="auto"
        error={faults["lastname"]}
        label={t("lastname")}
        name="lastname"
        onChange={(event) => change({ lastname: event.target.value })}
        value={draft.lastname}
      />
    </div>
  );
}

function PasswordField({
  form,
  error,
}: {
  readonly form: JoinDraftState;
  readonly error: string | undefined;
}) {
  const help = t("password.help", { minimum: passwordMin });
  return (
    <Field
      autoComplete="new-password"
      error={error}
      help={form.restored && form.password === "" ? t("password.again") : help}
      label={t("password")}
      name="password"
      onChange={(event) => form.setPassword(event.target.value)}
      type="password"
      value={form.password}
    />
  );
}

function Consents({ form: { draft, change } }: { readonly form: JoinDraftState }) {
  return (
    <div>
      <Checkbox
        checked={draft.notifications}
        name="notifications"
        onChange={(event) => change({ notifications: event.target.checked })}
      >
        {t("notifications")}
      </Checkbox>
      <Checkbox
        checked={draft.privacyPolicy}
        name="privacyPolicy"
        onChange={(event) => change({ privacyPolicy: event.target.checked })}
        required
      >
        {rich(t("privacy"), {
          policy: (inner) => (
            <Link className="link" target="_blank" to={paths.privacy}>
              {inner}
            </Link>
          ),
          note: (inner) => <span className="muted">{inner}</span>,
        })}
      </Checkbox>
    </div>
  );
}
