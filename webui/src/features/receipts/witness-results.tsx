import { Icon } from "@/components/icon/icon";
import keyTexts from "@/messages/en/trusted-keys.json";
import { ageOf } from "@/lib/text/age";
import { dateFormat } from "@/lib/text/formatters";
import { translator } from "@/lib/text/messages";
import { classNames } from "@/lib/ui/class-names";
import type { Sight, WitnessCheck } from "./check-witnesses";
import { signOf } from "./outcome";
import styles from "./check-results.module.css";

const t = translator(keyTexts);

/** What was found with the keys that the reader brought: the log's key, then each witness. */
export function WitnessResults({ check, at }: { readonly check: WitnessCheck; readonly at: Date }) {
  const { key, quorum, sights, seen, needed, newer, size } = check;
  return (
    <section aria-labelledby="witness-results" className="stack">
      <h2 className={styles.heading} id="witness-results">
        {t("heading")}
      </h2>
      <ol className={styles.steps}>
        {key === null || key === "unsupported" ? null : <Step outcome={key} text={t(`key.${key}`)} />}
        {sights.map((sight) => (
          <Step key={sight.name} outcome={sight.outcome} text={sightText(sight, size, at)} />
        ))}
        {quorum === null ? null : (
          <Step
            outcome={quorum}
            text={t(`quorum.${quorum}`, { seen, all: sights.length, needed, newer })}
          />
        )}
      </ol>
    </section>
  );
}

function Step({ outcome, text }: { readonly outcome: Sight["outcome"]; readonly text: string }) {
  return (
    <li>
      <span className={classNames(styles.sign, styles[outcome])}>
        <Icon name={signOf(outcome)} />
      </span>
      <span>{text}</span>
    </li>
  );
}

function sightText({ name, outcome, at }: Sight, size: number, now: Date): string {
  if (at === null) return t(`sight.${outcome === "failed" || outcome === "unsupported" ? outcome : "unseen"}`, { name });
  const time = dateFormat({ dateStyle: "medium", timeStyle: "short" });
  return t("sight.ok", { name, size, age: ageOf(at, now), time: time.format(at) });
}
