import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from "react";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { Modal } from "@/components/modal/modal";
import membershipTexts from "@/messages/en/membership.json";
import { translator } from "@/lib/text/messages";
import { CurrentPassword } from "./current-password";
import type { MemberAction } from "@/lib/member/use-member-action";
import styles from "./confirm-dialog.module.css";

const t = translator(membershipTexts);

/** Confirmation of a destructive action. The cancel button gets the focus. */
export function ConfirmDialog({
  title,
  go,
  goBusy,
  back,
  action,
  onGo,
  onClose,
  children,
}: {
  readonly title: string;
  readonly go: string;
  readonly goBusy: string;
  readonly back: string;
  readonly action: MemberAction;
  /** Receives the password if the server asked for it. */
  readonly onGo: (currentPassword: string | undefined) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const [password, setPassword] = useState("");
  const textId = useId();
  const backButton = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const { busy, refusal, wantsPassword } = action;
  useEffect(() => {
    if (wantsPassword) form.current?.querySelector("input")?.focus();
  }, [wantsPassword]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onGo(wantsPassword ? password : undefined);
  };
  return (
    <Modal
      busy={busy}
      closeLabel={t("close.dialog")}
      describedBy={textId}
      initialFocus={backButton}
      onClose={onClose}
      role="alertdialog"
      selvedge
      title={title}
    >
      <form className="stack" noValidate onSubmit={submit} ref={form}>
        <div className="stack" id={textId}>
          {children}
        </div>
        {refusal === null || wantsPassword ? null : (
          <Alert kind="danger">
            <p>{refusal.message}</p>
          </Alert>
        )}
        {wantsPassword ? (
          <CurrentPassword
            error={refusal?.fields["currentPassword"]}
            onChange={setPassword}
            value={password}
          />
        ) : null}
        <div className={styles.buttons}>
          <Button disabled={busy} kind="line" onClick={onClose} ref={backButton}>
            {back}
          </Button>
          <Button busy={busy ? goBusy : false} kind="danger" type="submit">
            {go}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
