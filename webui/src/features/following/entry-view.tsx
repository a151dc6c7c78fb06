import type { CSSProperties, ReactNode } from "react";
import { Link } from "react-router-dom";
import type { EntryLine, EntryPage } from "@/api/schema";
import { SplitBar } from "@/components/split-bar/split-bar";
import { useResource } from "@/lib/api/resource";
import { FUNDS } from "@/lib/models/config";
import { OWN_KINDS } from "@/lib/models/own-kinds";
import { paths } from "@/lib/page/paths";
import { inBothCurrencies } from "@/lib/text/foreign";
import { formatCents, formatDate, formatMonth, formatSignedCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { Booked } from "@/components/booked/booked";
import { classNames } from "@/lib/ui/class-names";
import { useToday } from "@/lib/ui/use-today";
import entryTexts from "@/messages/en/entry.json";
import followTexts from "@/messages/en/follow.json";
import { Flow } from "./flow";
import { partsOfAmount } from "./flow-parts";
import styles from "./entry-view.module.css";

const t = translator(entryTexts);
const follow = translator(followTexts);

/** One entry of the ledger: amount, split, what became of it, proof. */
export function EntryView({
  entry,
  proof,
}: {
  readonly entry: EntryPage;
  readonly proof: ReactNode;
}) {
  const parts = partsOfAmount(entry.trace);
  return (
    <>
      <div className={classNames("wrap page-head", styles.head)}>
        <Head entry={entry} />
        <Facts entry={entry} />
      </div>
      <div className={classNames("wrap", styles.parts)}>
        {parts.length === 0 ? null : (
          <div className={styles.part}>
            <Flow parts={parts} title={t("became")} />
            <p className="muted">{t("became.text")}</p>
          </div>
        )}
        {entry.payers === 0 ? null : (
          <section className={styles.part}>
            <h2>{t("payers", { count: entry.payers })}</h2>
            <p className={classNames("muted", styles.text)}>{t("payers.text")}</p>
          </section>
        )}
        <Lines lines={entry.later} title={t("later")} />
        <Lines lines={entry.about === null ? [] : [entry.about]} title={t("about")} />
        {proof}
      </div>
    </>
  );
}

function Head({ entry }: { readonly entry: EntryPage }) {
  const today = useToday();
  const slugs = useResource("/projects").data?.map(({ slug }) => slug) ?? [];
  const slug = slugs.find((one) => one === entry.project) ?? null;
  const isPaidOut = entry.date !== null;
  const amount = formatSignedCents(entry.amountCents);
  return (
    <div>
      <p className={styles.kicker}>
        <Link className="link" to={paths.ledger}>
          {t("kicker")}
        </Link>
      </p>
      {/* As large as its column allows. */}
      <h1
        className={classNames("d1 num", styles.amount)}
        style={{ "--signs": amount.length } as CSSProperties}
      >
        {amount}
      </h1>
      <p className={styles.kind}>
        {isPaidOut ? (
          <Booked sample={entry.sample} to={slug === null ? undefined : paths.project(slug)} written={entry.title} />
        ) : (
          kindName(entry.kind)
        )}
      </p>
      <p className="lead">
        {entry.date === null
          ? t("month", { month: formatMonth(entry.month) })
          : t("day", { date: formatDate(entry.date, today) })}
      </p>
      <p className={classNames("meta", styles.id)}>{t("id", { id: entry.id })}</p>
    </div>
  );
}

function Facts({ entry }: { readonly entry: EntryPage }) {
  const { amountCents, feeCents, foreign, funds } = entry;
  const whole = Object.values(funds).reduce((sum, cents) => sum + Math.abs(cents), 0);
  const split = FUNDS.map((fund) => ({ fund, cents: funds[fund] ?? 0 })).filter(({ cents }) => cents !== 0);
  return (
    <section aria-labelledby="split" className={styles.facts}>
      <h2 id="split">{t("split")}</h2>
      <p className="muted">{t(amountCents < 0 ? "split.out" : "split.in")}</p>
      {split.length < 2 ? null : (
        <SplitBar
          label={split.map(({ fund, cents }) => `${fundName(fund)} ${formatCents(cents)}`).join(", ")}
          parts={split.map(({ fund, cents }) => ({
            key: fund,
            label: fundName(fund),
            percent: Math.round((Math.abs(cents) * 1000) / whole) / 10,
          }))}
        />
      )}
      <dl>
        {Object.entries(funds).map(([fund, cents]) => (
          <div className="kv" key={fund}>
            <dt>{fundName(fund)}</dt>
            <dd className="num">{formatSignedCents(cents)}</dd>
          </div>
        ))}
        {feeCents === 0 ? null : (
          <div className="kv">
            <dt>{t("fee")}</dt>
            <dd className="num">{formatSignedCents(feeCents)}</dd>
          </div>
        )}
        {foreign === undefined ? null : (
          <div className="kv">
            <dt>{t("abroad")}</dt>
            <dd>{inBothCurrencies(-amountCents, foreign)}</dd>
          </div>
        )}
      </dl>
      <Documents documents={entry.documents} />
      <p className="sm muted">{t("nobody")}</p>
    </section>
  );
}

function Documents({ documents }: Pick<EntryPage, "documents">) {
  // An answer of 0.2.0 has none.
  if (!documents?.length) return null;
  const count = documents.reduce((sum, one) => sum + one.number, 0);
  return (
    <>
      <h3>{t("documents", { count })}</h3>
      <ul className={styles.lines}>
        {documents.map((one) => (
          <li key={one.path ?? one.kind}>
            {one.path === undefined ? kindOf(one) : <a className="link" href={one.path}>{kindOf(one)}</a>}
          </li>
        ))}
      </ul>
      {documents.some(({ path }) => path === undefined) ? <p className="sm muted">{t("documents.text")}</p> : null}
    </>
  );
}

function kindOf({ kind, number }: EntryPage["documents"][number]): string {
  const name = t(`document.${kind}`);
  return number === 1 ? name : `${name} × ${number}`;
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly EntryLine[] }) {
  if (lines.length === 0) return null;
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li className="kv" key={line.id}>
            <span>
              <Link className="link" to={paths.entry(line.id)}>
                {kindName(line.kind)}
              </Link>
              <span className="meta"> {formatMonth(line.month)}</span>
            </span>
            <span className="num">{formatSignedCents(line.amountCents)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function fundName(fund: string): string {
  return follow(`fund.${fund as "projects"}`);
}

function kindName(kind: EntryPage["kind"]): string {
  return OWN_KINDS.has(kind) ? t("kind.own") : t(`kind.${kind as "pledge"}`);
}
