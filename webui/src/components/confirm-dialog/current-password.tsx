import { Field } from "@/components/field/field";
import membershipTexts from "@/messages/en/membership.json";
import { translator } from "@/lib/text/messages";

const t = translator(membershipTexts);

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
      help={t("password.why")}
      label={t("password.current")}
      name="currentPassword"
      onChange={(event) => onChange(event.target.value)}
      type="password"
      value={value}
    />
  );
}
