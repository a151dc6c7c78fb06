import { ageOf } from "@/lib/text/age";
import { useResource } from "@/lib/api/resource";
import { translator } from "@/lib/text/messages";
import { useToday } from "@/lib/ui/use-today";
import witnessTexts from "@/messages/en/witnesses.json";

const t = translator(witnessTexts);

/** "2 of 3 witnesses have seen this log, the newest 3 hours ago"; nothing without witnesses. */
export function WitnessesLine() {
  const found = useResource("/proofs/witnesses").data;
  const now = useToday();
  if (found === null || found.of === 0) return null;
  const { seen, of: all, newest } = found;
  const line =
    newest === null ? t("unseen", { all }) : t("seen", { seen, all, age: ageOf(new Date(newest), now) });
  return (
    <p>
      {line} <span className="muted">{t("what")}</span>
    </p>
  );
}
