import { Alert } from "@/components/alert/alert";
import cardTexts from "@/messages/en/card-form.json";
import { translator } from "@/lib/text/messages";

const t = translator(cardTexts);

/** Says that no real payments are made. */
export function SandboxBanner() {
  return (
    <Alert kind="warning" title={t("sandbox.title")}>
      <p>{t("sandbox.text")}</p>
    </Alert>
  );
}
