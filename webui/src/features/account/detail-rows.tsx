import { useState } from "react";
import { useCountryLabel } from "@/components/country-field/country-field";
import { SettingsCard } from "@/components/settings/settings";
import accountTexts from "@/messages/en/account.json";
import { translator } from "@/lib/text/messages";
import { passwordMin } from "@/rules.json";
import { DetailRow } from "./detail-row";
import { useMemberArea } from "@/lib/member/member-context";

const account = translator(accountTexts);

type Row = "name" | "email" | "country" | "password";

/** Name, email, country and password; one of them is in edit mode at a time. */
export function DetailRows() {
  const { member } = useMemberArea();
  const country = useCountryLabel(member.country);
  const [editing, setEditing] = useState<Row | null>(null);
  const row = (name: Row) => ({
    editing: editing === name,
    onEdit: () => setEditing(name),
    onClose: () => setEditing(null),
  });
  return (
    <SettingsCard title={account("details")}>
      <DetailRow
        {...row("name")}
        editLabel={account("update.name")}
        fields={[
          {
            name: "firstname",
            label: account("firstname"),
            autoComplete: "given-name",
            start: member.firstname,
          },
          {
            name: "lastname",
            label: account("lastname"),
            autoComplete: "family-name",
            start: member.lastname,
          },
        ]}
        label={account("name")}
        shown={`${member.firstname} ${member.lastname}`}
        toChange={(typed) => ({ firstname: typed("firstname"), lastname: typed("lastname") })}
      />
      <DetailRow
        {...row("email")}
        editLabel={account("update.email")}
        fields={[
          {
            name: "email",
            label: account("email.new"),
            type: "email",
            autoComplete: "email",
            start: member.email,
          },
        ]}
        label={account("email")}
        shown={<EmailShown />}
        toChange={(typed) => ({ email: typed("email") })}
      />
      <DetailRow
        {...row("country")}
        editLabel={account("update.country")}
        fields={[
          {
            name: "country",
            label: account("country"),
            type: "country",
            autoComplete: "country-name",
            start: member.country,
          },
        ]}
        label={account("country")}
        shown={country}
        toChange={(typed) => ({ country: typed("country") })}
      />
      <DetailRow
        {...row("password")}
        editLabel={account("update.password")}
        fields={[
          {
            name: "newPassword",
            label: account("password.new"),
            type: "password",
            autoComplete: "new-password",
            start: "",
            help: account("password.help", { minimum: passwordMin }),
          },
          {
            name: "confirmNewPassword",
            label: account("password.repeat"),
            type: "password",
            autoComplete: "new-password",
            start: "",
            sameAs: "newPassword",
          },
        ]}
        label={account("password")}
        shown={<PasswordDots />}
        toChange={(typed) => ({
          newPassword: typed("newPassword"),
          confirmNewPassword: typed("confirmNewPassword"),
        })}
      />
    </SettingsCard>
  );
}

function PasswordDots() {
  return (
    <>
      <span aria-hidden="true">••••••••••</span>
      <span className="vh">{account("password.hidden")}</span>
    </>
  );
}

/** The address that counts, and what is missing until another one does. */
function EmailShown() {
  const { member } = useMemberArea();
  const waiting = member.pendingEmail;
  return (
    <>
      <Address email={member.email} />
      {waiting !== null && waiting !== member.email ? (
        <>
          <br />
          <small>{account("email.pending", { email: waiting })}</small>
        </>
      ) : null}
      {member.emailStoppedOn !== null ? (
        <>
          <br />
          <small>{account("email.stopped")}</small>
        </>
      ) : waiting === member.email || (waiting === null && !member.emailConfirmed) ? (
        <>
          <br />
          <small>{account("email.unconfirmed")}</small>
        </>
      ) : null}
    </>
  );
}

/** A long email address breaks after the @. */
function Address({ email }: { readonly email: string }) {
  const [name, ...rest] = email.split(/(?<=@)/);
  return (
    <>
      {name}
      <wbr />
      {rest}
    </>
  );
}
