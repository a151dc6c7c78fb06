import type { FundWeights, Settings } from "@/api/schema";
import { Cloth } from "@/components/cloth/cloth";
import { OnWideScreens } from "@/components/split-page/split-page";
import fundTexts from "@/messages/en/funds.json";
import joiningTexts from "@/messages/en/joining.json";
import { allocateCents } from "@/lib/payments/allocate";
import { fullName, ownTile } from "@/lib/member/own-tile";
import { chargesFrom, dayOfMonth, type BillingDay } from "@/lib/payments/billing-day";
import { FUNDS, projectsPayFees } from "@/lib/models/config";
import { amountOf, formatCents, formatDate, formatDollars, formatFullCents, formatWholeDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import type { PayingWay } from "@/lib/models/other-ways";
import styles from "./join-panels.module.css";

const t = translator(joiningTexts);
const funds = translator(fundTexts);

const COLUMNS = 10;
const ROWS = 8;

/** Step 1: the person's future square in the cloth. */
export function IntroductionPanel() {
  const count = useResource("/stats").data?.changemakers;
  return <h2>{count === undefined ? t("square-unknown") : t("square", { nth: count + 1 })}</h2>;
}

/** The cloth; the next square shows the person's tile as they type their name. */
export function JoinCloth({
  person,
}: {
  readonly person: { readonly firstname: string; readonly lastname: string };
}) {
  const told = useResource("/stats").data?.changemakers;
  const count = told ?? 0;
  // A large cloth shows only its last rows, so it has no count.
  const whole = count < COLUMNS * ROWS;
  const woven = whole ? count : COLUMNS * (ROWS - 2) + (count % COLUMNS);
  return (
    <Cloth
      columns={COLUMNS}
      id="join"
      label={whole && told !== undefined ? t("square.cloth", { woven }) : undefined}
      nextTile={fullName(person) === "" ? undefined : ownTile(person)}
      nextWord={t("square.you")}
      rows={ROWS}
      woven={woven}
    />
  );
}

/** Step 2: how the amount is divided over the funds, by the rule of the books. */
export function AmountPanel({
  cards,
  dollars,
  policy,
}: {
  readonly cards: boolean;
  readonly dollars: number | null;
  readonly policy: Settings["fundPolicy"] | null;
}) {
  if (dollars === null) return <h2>{t("amount.does-unknown")}</h2>;
  return (
    <>
      <h2>{t("amount.does", { amount: amountOf(dollars * 100, formatWholeDollars) })}</h2>
      {policy === null ? null : <SplitOfPledge cards={cards} dollars={dollars} policy={policy} />}
    </>
  );
}

function SplitOfPledge({
  cards,
  dollars,
  policy,
}: {
  readonly cards: boolean;
  readonly dollars: number;
  readonly policy: Settings["fundPolicy"];
}) {
  const parts = allocateCents(dollars * 100, policy.weights);
  const shown = Object.fromEntries(FUNDS.map((fund) => [fund, formatCents(parts[fund])]));
  return (
    <>
      <p className={styles.onPhones}>{t("amount.split", shown)}</p>
      <OnWideScreens>
        <div className={styles.box}>
          <div aria-hidden="true" className={styles.bar}>
            {FUNDS.map((fund) => (
              <i className={styles[fund]} key={fund} style={{ flexGrow: policy.weights[fund] }} />
            ))}
          </div>
          <ul>
            {FUNDS.map((fund) => (
              <li className="kv" key={fund}>
                <span className={styles.fund}>
                  <i aria-hidden="true" className={styles[fund]} />
                  {funds(`fund.${fund}`)}
                </span>
                <b>{formatCents(parts[fund])}</b>
              </li>
            ))}
            <li className="kv">
              <b>{t("amount.year")}</b>
              <b>{formatCents(dollars * 1200)}</b>
            </li>
          </ul>
          {cards ? <p className={styles.fees}>{t(projectsPayFees(policy) ? "amount.fees-shared" : "amount.fees", { overhead: formatCents(dollars * 100 - parts.projects), projects: formatCents(parts.projects) })}</p> : null}
        </div>
      </OnWideScreens>
    </>
  );
}

/** Step 3: summary of the pledge. */
export function TermsPanel({
  pledge: { dollars, billingDay, today, way, cards },
  policy,
}: {
  readonly pledge: {
    readonly dollars: number | null;
    readonly billingDay: BillingDay;
    readonly today: string;
    readonly way: PayingWay;
    readonly cards: boolean;
  };
  readonly policy: FundWeights | null;
}) {
  const { first, next } = chargesFrom(today, billingDay);
  const now = new Date(today);
  const cents = (dollars ?? 0) * 100;
  const isToday = first === today;
  const date = formatDate(first, now);
  const amount = formatFullCents(cents);
  const promised: [string, string][] = [
    [t("terms.promise"), t("terms.amount", { amount })],
    ...(cards ? [[t("terms.today"), t("terms.nothing")] as [string, string]] : []),
    [t("terms.vote"), t("terms.vote-first")],
  ];
  const charged: [string, string][] = [
    isToday
      ? [t("terms.today"), t("terms.amount", { amount })]
      : [t("terms.first"), t("terms.first-value", { amount, date })],
    [t("terms.next"), formatDate(next, now)],
    [t("terms.then"), t("terms.monthly", { day: dayOfMonth(first) })],
    [t("terms.vote"), isToday ? t("terms.vote-today") : date],
  ];
  const rows = way === "card" && cards ? charged : promised;
  if (policy !== null) {
    const part = formatCents(allocateCents(cents, policy).projects);
    const whole = formatDollars(dollars ?? 0);
    rows.push([t("terms.projects"), t("terms.projects-value", { part, amount: whole })]);
  }
  rows.push([t("terms.minimum"), t("terms.none")]);
  return (
    <>
      <h2>{t("terms")}</h2>
      <OnWideScreens>
        <dl className={styles.box}>
          {rows.map(([term, value]) => (
            <div className="kv" key={term}>
              <dt>{term}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </OnWideScreens>
    </>
  );
}
