import { Field } from "@/components/field/field";
import accountTexts from "@/messages/en/account.json";
import { translator } from "@/lib/text/messages";

const account = translator(accountTexts);

/** Shown when the sign-in is too old for this change (403 reauth_required). */
export function CurrentPassword({
  value,
  error,
  onChange,
}: {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (password: string) => void;
}) {
  return (
    <Field
      autoComplete="current-password"
      error={error}
      help={account("password.why")}
      label={account("password.current")}
      name="currentPassword"
      onChange={(event) => onChange(event.target.value)}
      type="password"
      value={value}
    />
  );
}
