import { Link } from "react-router-dom";
import type { MemberTrace } from "@/api/schema";
import { Booked } from "@/components/booked/booked";
import { ThreadBar } from "@/components/thread-bar/thread-bar";
import tracingTexts from "@/messages/en/tracing.json";
import { formatCents, formatDate, formatDollarsOfCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { useToday } from "@/lib/ui/use-today";
import { PaymentsAbroad } from "./payments-abroad";
import { paidShares, type Share } from "./trace-sums";
import styles from "./trace-view.module.css";

const t = translator(tracingTexts);
const CENTS_PER_THREAD = 100;

/** What a member's money paid for: projects first, then running costs. */
export function PaidShares({ trace }: { readonly trace: MemberTrace }) {
  const shares = paidShares(trace);
  const most = Math.max(1, ...shares.map(({ cents }) => cents));
  const projects = shares.filter(({ fund }) => fund === "projects");
  const running = shares.filter(({ fund }) => fund !== "projects");
  return (
    <section aria-labelledby="shares" className={styles.part}>
      <h2 id="shares">{t("shares.title")}</h2>
      {shares.length === 0 ? null : <p className="muted">{t("shares.thread", { amount: formatDollarsOfCents(CENTS_PER_THREAD) })}</p>}
      <ShareList most={most} shares={projects} title={t("shares.projects")} />
      <ShareList most={most} shares={running} title={t("shares.running")} />
    </section>
  );
}

function ShareList({
  title,
  shares,
  most,
}: {
  readonly title: string;
  readonly shares: readonly Share[];
  readonly most: number;
}) {
  const pages = useResource("/projects").data;
  const today = useToday();
  if (shares.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className={styles.shares}>
        {shares.map((share) => (
          <li key={`${share.fund}-${share.account}`}>
            <p>
              <ShareName share={share} slug={pages?.find(({ account }) => account === share.account)?.slug ?? null} />
              <br />
              <span className="meta">
                {t("shares.last", { date: formatDate(share.date, today) })}
              </span>
              <PaymentsAbroad paid={share.abroad} />
            </p>
            <ThreadBar
              threads={share.cents / CENTS_PER_THREAD}
              threadsMax={most / CENTS_PER_THREAD}
            />
            <span className="num">{formatCents(share.cents)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function ShareName({ share, slug }: { readonly share: Share; readonly slug: string | null }) {
  const fund = t(`fund.${share.fund}`);
  const isPlain = share.fund === "projects" || share.name === fund;
  // Same width as a link, so that lines do not break differently when the projects load.
  const shown = (
    <b>
      <Booked sample={share.sample} written={share.name} />
      {isPlain ? null : ` (${fund})`}
    </b>
  );
  if (slug === null) return shown;
  return (
    <Link className="link" to={paths.project(slug)}>
      {shown}
    </Link>
  );
}
