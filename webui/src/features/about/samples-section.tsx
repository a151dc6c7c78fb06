import { SampleTag } from "@/components/badge/badge";
import { Scene } from "@/components/scene/scene";
import aboutTexts from "@/messages/en/about.json";
import { useResource } from "@/lib/api/resource";
import { useSiteConfig } from "@/lib/models/config";
import { classNames } from "@/lib/ui/class-names";
import { formatSignedCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { originalText, writtenIn } from "@/lib/text/written";
import styles from "./about-sections.module.css";

const t = translator(aboutTexts);

const SHOWN = 3;

/** Sample projects and what the ledger says of them (spec §2), where samples were loaded. */
export function SamplesSection() {
  const config = useSiteConfig().data;
  const projects = useResource("/projects").data?.filter(({ sample }) => sample).slice(0, SHOWN) ?? [];
  if (projects.length === 0 || config === null) return null;
  const entries = [
    { id: "", text: <span>{t("samples.contribution")}</span>, cents: config.limits.pledgeDollarsDefault * 100 },
    ...projects
      .filter(({ capitalUsedCents }) => capitalUsedCents > 0)
      .map((project) => ({
        id: project.id,
        text: <span {...writtenIn(project, "title")}>{project.title}</span>,
        cents: -project.capitalUsedCents,
      })),
  ];
  return (
    <section aria-labelledby="samples" className="section">
      <div className="wrap">
        <h2 className={styles.opener} id="samples">
          {t("samples")}
        </h2>
        <p className={classNames("lead", styles.samplesText)}>{t("samples.text")}</p>
        <ul className={styles.samples}>
          {projects.map((project) => (
            <li key={project.id}>
              <Scene category={project.category} subject={originalText(project, "title")} />
              <h3 {...writtenIn(project, "title")}>{project.title}</h3>
              <p {...writtenIn(project, "summary")}>{project.summary}</p>
              <SampleTag />
            </li>
          ))}
        </ul>
        <h3 className={styles.entriesTitle} id="sample-entries">
          {t("samples.entries")} <SampleTag />
        </h3>
        <ul aria-labelledby="sample-entries" className={styles.entries}>
          {entries.map(({ id, text, cents }) => (
            <li key={id}>
              {text}
              <b className={classNames("num", cents < 0 ? styles.out : styles.in)}>{formatSignedCents(cents)}</b>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
