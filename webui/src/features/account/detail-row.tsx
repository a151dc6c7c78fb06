import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import type { ProfileChange } from "@/api/schema";
import { Button } from "@/components/button/button";
import { CurrentPassword } from "@/components/confirm-dialog/current-password";
import { CountryField } from "@/components/country-field/country-field";
import { Field } from "@/components/field/field";
import styles from "@/components/settings/settings.module.css";
import accountTexts from "@/messages/en/account.json";
import membershipTexts from "@/messages/en/membership.json";
import { apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { useFocusFallback } from "@/lib/ui/use-focus-fallback";
import { useResourceCache } from "@/lib/api/resource";
import { useMemberAction } from "@/lib/member/use-member-action";

const t = translator(membershipTexts);
const account = translator(accountTexts);

type DetailField = {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password" | "country";
  readonly autoComplete: string;
  readonly start: string;
  readonly help?: string | null;
  /** The field whose value this one must repeat. */
  readonly sameAs?: string;
};

type DetailRowProps = {
  readonly label: string;
  readonly editLabel: string;
  readonly shown: ReactNode;
  readonly fields: readonly DetailField[];
  readonly editing: boolean;
  readonly onEdit: () => void;
  readonly onClose: () => void;
  readonly toChange: (typed: (name: string) => string) => ProfileChange;
};

/** A detail of the account; Update turns it into a form. */
export function DetailRow(props: DetailRowProps) {
  const { label, editLabel, shown, editing, onEdit } = props;
  const button = useRef<HTMLButtonElement>(null);
  useFocusFallback(editing, button);
  if (editing) return <DetailForm {...props} />;
  return (
    <div className={styles.row}>
      <b>{label}</b>
      <p>{shown}</p>
      <Button aria-label={editLabel} kind="line" onClick={onEdit} ref={button} size="sm">
        {t("update")}
      </Button>
    </div>
  );
}

function DetailForm({ label, fields, onClose, toChange }: DetailRowProps) {
  const [typed, setTyped] = useState(() =>
    Object.fromEntries(fields.map((field) => [field.name, field.start])),
  );
  const [password, setPassword] = useState("");
  const [differ, setDiffer] = useState(false);
  const { busy, refusal, wantsPassword, run } = useMemberAction();
  const cache = useResourceCache();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input, select")?.focus(), []);
  useEffect(() => {
    if (wantsPassword)
      form.current?.querySelector<HTMLInputElement>("[name=currentPassword]")?.focus();
  }, [wantsPassword]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = fields.some(
      ({ name, sameAs }) => sameAs !== undefined && typed[name] !== typed[sameAs],
    );
    setDiffer(wrong);
    if (wrong) return;
    const change = toChange((name) => typed[name] ?? "");
    // Given when the server asked for it.
    const currentPassword = wantsPassword ? password : undefined;
    const body = { ...change, currentPassword };
    if (!(await run(() => apiSend("PUT /user/update-profile", body)))) return;
    if ("email" in change || "newPassword" in change) {
      // Other sessions have ended, and with the password the passkeys.
      cache.reload("/user/passkeys");
      cache.reload("/user/sessions");
    }
    onClose();
  };
  return (
    <form
      aria-label={label}
      className={`${styles.row} ${styles.edit}`}
      noValidate
      onSubmit={(event) => void submit(event)}
      ref={form}
    >
      <b>{label}</b>
      <div className={styles.fields}>
        {fields.map((field) =>
          field.type === "country" ? (
            <CountryField
              key={field.name}
              onChange={(country) => setTyped({ ...typed, [field.name]: country })}
              value={typed[field.name] ?? ""}
            />
          ) : (
            <Field
              autoComplete={field.autoComplete}
              error={
                differ && field.sameAs !== undefined
                  ? account("password.different")
                  : refusal?.fields[field.name]
              }
              help={field.help}
              key={field.name}
              label={field.label}
              name={field.name}
              onChange={(event) => setTyped({ ...typed, [field.name]: event.target.value })}
              type={field.type ?? "text"}
              value={typed[field.name] ?? ""}
            />
          ),
        )}
        {wantsPassword ? (
          <CurrentPassword
            error={refusal?.fields["currentPassword"]}
            onChange={setPassword}
            value={password}
          />
        ) : null}
      </div>
      <div className="row">
        <Button busy={busy ? t("updating") : false} size="sm" type="submit">
          {t("update")}
        </Button>
        <Button disabled={busy} kind="quiet" onClick={onClose} size="sm">
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
}
