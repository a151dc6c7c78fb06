import { useRef, useState, type FormEvent } from "react";
import type { PasskeyLine } from "@/api/schema";
import { Button } from "@/components/button/button";
import { CurrentPassword } from "@/components/confirm-dialog/current-password";
import { Field } from "@/components/field/field";
import { ResourceView } from "@/components/resource-view/resource-view";
import { SettingsCard, SettingsRow } from "@/components/settings/settings";
import { Skeleton } from "@/components/skeleton/skeleton";
import styles from "@/components/settings/settings.module.css";
import securityTexts from "@/messages/en/security.json";
import { apiSend } from "@/lib/api/api-client";
import { useResource } from "@/lib/api/resource";
import { loadCeremony } from "@/lib/passkeys/load-ceremony";
import { useMemberAction } from "@/lib/member/use-member-action";
import { useToday } from "@/lib/ui/use-today";
import { usePasskeysKnown } from "@/lib/passkeys/use-passkeys-known";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";

const t = translator(securityTexts);

/** The member's passkeys; without any only where the browser can make one. */
export function PasskeyRows() {
  const known = useResource("/user/passkeys");
  const canAdd = usePasskeysKnown();
  if (!canAdd && known.status !== "error" && (known.data ?? []).length === 0) return null;
  return (
    <SettingsCard title={t("passkeys")}>
      <p className="muted">{t("passkeys.text")}</p>
      <ResourceView skeleton={<Skeleton />} state={known} what={t("passkeys.error")}>
        {(list) =>
          list.map((passkey) => (
            <PasskeyRow key={passkey.id} onRemoved={known.reload} passkey={passkey} />
          ))
        }
      </ResourceView>
      {canAdd ? <AddForm onAdded={known.reload} /> : null}
    </SettingsCard>
  );
}

function PasskeyRow({
  passkey,
  onRemoved,
}: {
  readonly passkey: PasskeyLine;
  readonly onRemoved: () => void;
}) {
  const { busy, run } = useMemberAction();
  const today = useToday();
  const remove = async () => {
    if (await run(() => apiSend(`DELETE /user/passkeys/${encodeURIComponent(passkey.id)}`, undefined))) onRemoved();
  };
  return (
    <SettingsRow
      text={t("passkeys.added", { day: formatDate(passkey.addedOn, today) })}
      title={passkey.name}
    >
      <Button
        busy={busy ? t("passkeys.removing") : false}
        kind="line"
        onClick={() => void remove()}
        size="sm"
      >
        {t("passkeys.remove")}
      </Button>
    </SettingsRow>
  );
}

function AddForm({ onAdded }: { readonly onAdded: () => void }) {
  const [name, setName] = useState("");
  const [missing, setMissing] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState("");
  const { busy, refusal, wantsPassword, run } = useMemberAction();
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") {
      setMissing(true);
      return nameField.current?.focus();
    }
    const current = wantsPassword ? password : undefined;
    if (!(await run(async () => (await loadCeremony()).addPasskey(name.trim(), current)))) return;
    setName("");
    setPassword("");
    onAdded();
  };
  return (
    <form
      aria-label={t("passkeys.add")}
      className={`${styles.row} ${styles.edit}`}
      noValidate
      onSubmit={(event) => void add(event)}
    >
      <b>{t("passkeys.new")}</b>
      <div className={styles.fields}>
        <Field
          autoComplete="off"
          error={missing ? t("passkeys.name-missing") : undefined}
          help={t("passkeys.name-help")}
          label={t("passkeys.name")}
          onChange={(event) => {
            setName(event.target.value);
            setMissing(false);
          }}
          ref={nameField}
          value={name}
        />
        {wantsPassword ? (
          <CurrentPassword
            error={refusal?.fields["currentPassword"]}
            onChange={setPassword}
            value={password}
          />
        ) : null}
      </div>
      <div className="row">
        <Button busy={busy ? t("passkeys.adding") : false} size="sm" type="submit">
          {t("passkeys.add")}
        </Button>
      </div>
    </form>
  );
}
