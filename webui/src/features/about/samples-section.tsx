import { entries, projects } from "virtual:samples";
import { SampleTag } from "@/components/badge/badge";
import { Scene } from "@/components/scene/scene";
import aboutTexts from "@/messages/en/about.json";
import commonTexts from "@/messages/en/common.json";
import { classNames } from "@/lib/ui/class-names";
import { formatSignedCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { originalText, writtenIn } from "@/lib/text/written";
import styles from "./about-sections.module.css";

const t = translator(aboutTexts);
const common = translator(commonTexts);

/** Sample projects and ledger entries (spec §2): static, marked, the same for every organisation. */
export function SamplesSection() {
  return (
    <section aria-labelledby="samples" className="section">
      <div className="wrap">
        <h2 className={styles.opener} id="samples">
          {t("samples")}
        </h2>
        <p className={classNames("lead", styles.samplesText)}>{t("samples.text")}</p>
        <ul className={styles.samples}>
          {projects.map((project) => (
            <li key={project.title}>
              <Scene category={project.category} subject={originalText(project, "title")} />
              <h3 {...writtenIn(project, "title")}>{project.title}</h3>
              <p {...writtenIn(project, "summary")}>{project.summary}</p>
              <SampleTag>{common("sample")}</SampleTag>
            </li>
          ))}
        </ul>
        <h3 className={styles.entriesTitle} id="sample-entries">
          {t("samples.entries")} <SampleTag>{common("sample")}</SampleTag>
        </h3>
        <ul aria-labelledby="sample-entries" className={styles.entries}>
          {entries.map(({ text, cents }) => (
            <li key={cents}>
              <span>{text ?? t(cents > 0 ? "samples.contribution" : "samples.cost")}</span>
              <b className={cents < 0 ? styles.out : styles.in}>{formatSignedCents(cents)}</b>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
