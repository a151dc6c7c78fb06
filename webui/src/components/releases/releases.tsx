import type { Release } from "@/api/schema";
import votingTexts from "@/messages/en/voting.json";
import { formatCents, formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { useToday } from "@/lib/ui/use-today";

const t = translator(votingTexts);

/** The parts of a vote's money that were released, each with its reason and who signed. */
export function Releases({ releases }: { readonly releases: readonly Release[] }) {
  const today = useToday();
  return (
    <>
      {releases.map(({ leaf, cents, day, reason, signers }) => (
        <p className="sm" key={leaf}>
          {t("release.text", {
            amount: formatCents(cents),
            date: formatDate(day, today),
            reason,
          })}
          <br />
          <span className="muted">
            {signers.length === 0
              ? t("release.leaf", { leaf })
              : t("release.signed", { leaf, keys: signers.join(", ") })}
          </span>
        </p>
      ))}
    </>
  );
}
