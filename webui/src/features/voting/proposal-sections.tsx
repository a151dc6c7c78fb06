import { Accordion, type AccordionItem } from "@/components/accordion/accordion";
import { RichHtml } from "@/components/rich-html/rich-html";
import votingTexts from "@/messages/en/voting.json";
import { formatDate, formatDollarsOfCents, formatNumber } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { writtenIn } from "@/lib/text/written";
import type { Proposal } from "./api";
import styles from "./proposal-sections.module.css";

const t = translator(votingTexts);

/** Story, implementation, budget and metrics; empty sections are left out. */
export function ProposalSections({ proposal }: { readonly proposal: Proposal }) {
  return <Accordion items={sectionsOf(proposal)} open={["story", "budget"]} />;
}

function sectionsOf(proposal: Proposal): AccordionItem[] {
  const { storySections, implementation, budgetList } = proposal;
  const metrics = [
    ...[proposal.metrics].flat().filter(Boolean),
    ...proposal.measures.map(promiseOf),
  ];
  return [
    ...(storySections === ""
      ? []
      : [{ id: "story", title: t("section.story"), body: <RichHtml html={storySections} written={writtenIn(proposal, "storySections")} /> }]),
    ...(implementation === ""
      ? []
      : [
          {
            id: "implementation",
            title: t("section.implementation"),
            body: <RichHtml html={implementation} written={writtenIn(proposal, "implementation")} />,
          },
        ]),
    ...(budgetList.length === 0
      ? []
      : [{ id: "budget", title: t("section.budget"), body: <Budget lines={budgetList} /> }]),
    ...(metrics.length === 0
      ? []
      : [{ id: "metrics", title: t("section.metrics"), body: <Metrics lines={metrics} /> }]),
  ];
}

function promiseOf(measure: Proposal["measures"][number]): string {
  return t("measure.promise", {
    name: measure.name,
    baseline: formatNumber(measure.baseline),
    target: formatNumber(measure.target),
    unit: measure.unit,
    date: formatDate(measure.by, new Date()),
  }).replaceAll(/\s+/g, " ");
}

function Budget({ lines }: { readonly lines: Proposal["budgetList"] }) {
  const total = lines.reduce((sum, line) => sum + line.amountCents, 0);
  return (
    <table className={styles.budget}>
      <caption className="vh">{t("budget.caption")}</caption>
      <tbody>
        {lines.map((line, index) => (
          // Two rows may be identical.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index}>
            <th scope="row" {...writtenIn(line, "description")}>{line.description}</th>
            <td>{formatDollarsOfCents(line.amountCents)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t("budget.total")}</th>
          <td className="num">{formatDollarsOfCents(total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function Metrics({ lines }: { readonly lines: readonly string[] }) {
  const [only, ...others] = lines;
  if (others.length === 0) return <p>{only}</p>;
  return (
    <ul className={styles.metrics}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
