import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/button/button";
import { TextArea } from "@/components/field/field";
import { Modal } from "@/components/modal/modal";
import commonTexts from "@/messages/en/common.json";
import sharingTexts from "@/messages/en/sharing.json";
import { HAS_OWN_NAME, translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import { shareOn, type ShareTarget } from "./share-targets";
import styles from "./share-dialog.module.css";

const t = translator(sharingTexts);
const common = translator(commonTexts);
const TARGETS: readonly ShareTarget[] = ["x", "whatsapp", "facebook"];
// Spec §9.
const COPIED_MS = 2000;

/** Shares a message over a network or by copying. */
export function ShareDialog({
  url,
  message: given,
  onClose,
}: {
  /** The address to share. */
  readonly url: string;
  /** The initial message; a default if left out. */
  readonly message?: string;
  readonly onClose: () => void;
}) {
  const [message, setMessage] = useState(given ?? t(HAS_OWN_NAME ? "default-own" : "default", { url }));
  const [copied, setCopied] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(message);
      setCopied(true);
      notify.success(t("copied-text"), "copied");
    } catch {
      area.current?.select();
      notify.error(t("failed-text"), "copy-failed");
    }
  };
  return (
    <Modal closeLabel={common("close")} onClose={onClose} selvedge title={t("title")}>
      <div aria-label={t("networks")} className={styles.targets} role="group">
        {TARGETS.map((target) => (
          <Button key={target} kind="line" onClick={() => shareOn(target, message, url)}>
            {t(target)}
          </Button>
        ))}
      </div>
      <TextArea
        label={t("message")}
        onChange={(event) => setMessage(event.target.value)}
        placeholder={t("placeholder")}
        ref={area}
        rows={5}
        value={message}
      />
      <Button block icon={copied ? "check" : "copy"} onClick={() => void copy()}>
        <span aria-live="polite">{copied ? t("copied") : t("copy")}</span>
      </Button>
    </Modal>
  );
}
