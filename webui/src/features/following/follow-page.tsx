import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import type { Followed } from "@/api/schema";
import { Button, ButtonAnchor, ButtonLink } from "@/components/button/button";
import { EmptyState } from "@/components/empty-state/empty-state";
import { Field } from "@/components/field/field";
import { Select } from "@/components/field/select";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import { amountFaultText, plainDollars, readCents } from "@/lib/payments/gift-amount";
import { withoutZeros } from "@/lib/text/number-reading";
import { ApiError } from "@/lib/api/api-client";
import { useResource } from "@/lib/api/resource";
import { paths } from "@/lib/page/paths";
import { useHydrated } from "@/lib/page/use-hydrated";
import { useSignedIn } from "@/lib/session/session";
import { amountOf, formatCents, formatDollarsOfCents, formatMonth } from "@/lib/text/format";
import { LANGUAGE, rich, translator } from "@/lib/text/messages";
import followTexts from "@/messages/en/follow.json";
import { giftCentsMax, giftCentsMin, pledgeDollarsDefault, quickDollars } from "@/rules.json";
import { classNames } from "@/lib/ui/class-names";
import { Flow } from "./flow";
import { partsOfAmount } from "./flow-parts";
import styles from "./follow-page.module.css";

const t = translator(followTexts);
const PICKS = [...new Set([1, ...quickDollars, 50])].toSorted((less, more) => less - more);
/** What is shared: an address, and a message with it. */
export type Shared = { readonly url: string; readonly message: string };

/** An amount and a month, and where that month's money went. */
export function FollowView({ onShare }: { readonly onShare: (shared: Shared) => void }) {
  const [query, setQuery] = useSearchParams();
  // The build drew the page without a query.
  const hydrated = useHydrated();
  const cents = centsOf(hydrated ? query.get("cents") : null);
  const month = hydrated ? query.get("month") : null;
  const state = useResource(followPath(cents, month), hydrated);
  const [months, setMonths] = useState<readonly string[]>([]);
  if (state.data !== null && state.data.months !== months) setMonths(state.data.months);
  const show = (changes: Readonly<Record<string, string>>) => {
    const next = { cents: String(cents), ...(month === null ? {} : { month }), ...changes };
    setQuery(next, { replace: true, state: { stay: true } });
  };
  const isUnknown = state.error instanceof ApiError && state.error.status < 500;
  return (
    <>
      <div className="wrap page-head">
        <h1 className="d1">{t("title")}</h1>
        <p className="lead">{t("lead")}</p>
      </div>
      <div className={classNames("wrap", styles.parts)}>
        <form className={styles.choice} noValidate onSubmit={(event) => event.preventDefault()}>
          <Amount cents={cents} key={cents} onChoose={(chosen) => show({ cents: String(chosen) })} />
          {/* Reserves space, so that nothing shifts when the months load. */}
          <div className={styles.month}>
            {months.length === 0 ? null : (
              <Select
                label={t("month")}
                onChange={(event) => show({ month: event.target.value })}
                options={months.map((one) => ({ value: one, label: formatMonth(one) }))}
                value={state.data?.month ?? month ?? ""}
              />
            )}
          </div>
        </form>
        {isUnknown ? (
          <EmptyState title={t("unknown")}>
            <ButtonLink to={paths.follow}>{t("unknown.go")}</ButtonLink>
          </EmptyState>
        ) : (
          <ResourceView
            skeleton={<div className="waiting"><Skeleton shape="block" /></div>}
            state={state}
            what={t("failed")}
          >
            {(data) => <FollowedAmount followed={data} onShare={onShare} />}
          </ResourceView>
        )}
      </div>
    </>
  );
}

function Amount({
  cents,
  onChoose,
}: {
  readonly cents: number;
  readonly onChoose: (cents: number) => void;
}) {
  const [typed, setTyped] = useState(plainDollars(cents));
  const [isWrong, setWrong] = useState(false);
  const choose = () => {
    const { cents: chosen } = readCents(typed);
    const fits = chosen !== null && isFollowed(chosen);
    setWrong(!fits);
    setTyped(withoutZeros(typed));
    if (fits && chosen !== cents) onChoose(chosen);
  };
  return (
    <div className={styles.amount}>
      <Field
        error={
          isWrong
            ? (amountFaultText(typed) ??
              t("amount.fault", {
                minimum: formatDollarsOfCents(giftCentsMin),
                maximum: formatDollarsOfCents(giftCentsMax),
              }))
            : null
        }
        inputMode="decimal"
        label={t("amount")}
        onBlur={choose}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") choose();
        }}
        value={typed}
      />
      <fieldset className={styles.picks}>
        <legend className="vh">{t("picks")}</legend>
        {PICKS.map((dollars) => (
          <button
            aria-pressed={cents === dollars * 100}
            key={dollars}
            onClick={() => onChoose(dollars * 100)}
            type="button"
          >
            {formatDollarsOfCents(dollars * 100)}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

function FollowedAmount({
  followed,
  onShare,
}: {
  readonly followed: Followed;
  readonly onShare: (shared: Shared) => void;
}) {
  const { cents, month, funds } = followed;
  const signedIn = useSignedIn();
  if (month === null) {
    return (
      <EmptyState title={t("none")}>
        <p className="muted">{t("none.text")}</p>
        <ButtonLink to={paths.join}>{t("none.join")}</ButtonLink>
      </EmptyState>
    );
  }
  const words = { amount: amountOf(cents), month: formatMonth(month) };
  const url = `${window.location.origin}${paths.follow}?cents=${cents}&month=${month}&lang=${LANGUAGE}`;
  return (
    <>
      <Flow parts={partsOfAmount(funds)} title={t("went", words)} />
      <div className="halves halves-eq">
        <div className={styles.words}>
          <p>
            {t("of-month", {
              count: followed.contributions,
              month: words.month,
              amount: formatCents(followed.receivedCents),
              part: words.amount,
            })}
          </p>
          <div className="row">
            <Button icon="share" onClick={() => onShare({ url, message: t("share.message", { ...words, url }) })}>
              {t("share")}
            </Button>
            <ButtonAnchor href={picturePath(cents, month)} kind="line" newTab>
              {t("picture")}
            </ButtonAnchor>
            <Link className="link" to={signedIn ? paths.myImpact : paths.join}>
              {t(signedIn ? "mine" : "join")}
            </Link>
          </div>
        </div>
        <How />
      </div>
    </>
  );
}

function How() {
  return (
    <section aria-labelledby="how" className={classNames("prose", styles.how)}>
      <h2 id="how">{t("how")}</h2>
      <p>{t("how.text")}</p>
      <p>
        {rich(t("how.check"), {
          ledger: (inner) => <Link to={paths.ledger}>{inner}</Link>,
          check: (inner) => <Link to={paths.checkVote}>{inner}</Link>,
        })}
      </p>
    </section>
  );
}

/** The picture that is shared, as the server draws it. */
function picturePath(cents: number, month: string): string {
  return `/previews/follow/${month}-${cents}.png${LANGUAGE === "en" ? "" : `?lang=${LANGUAGE}`}`;
}

function followPath(cents: number, month: string | null): `/follow?${string}` {
  return `/follow?cents=${cents}${month === null ? "" : `&month=${encodeURIComponent(month)}`}`;
}

function centsOf(asked: string | null): number {
  const cents = /^\d{1,9}$/.test(asked ?? "") ? Number(asked) : 0;
  return isFollowed(cents) ? cents : pledgeDollarsDefault * 100;
}

function isFollowed(cents: number): boolean {
  return cents >= giftCentsMin && cents <= giftCentsMax;
}
