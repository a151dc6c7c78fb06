import { Link, useLocation, useNavigate } from "react-router-dom";
import { Button, ButtonLink } from "@/components/button/button";
import { Cloth } from "@/components/cloth/cloth";
import pageTexts from "@/messages/en/pages.json";
import { classNames } from "@/lib/ui/class-names";
import { formatCents, formatDollarsOfCents } from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import { readDraft, writeDraft } from "@/lib/session/draft-storage";
import { useSignedIn } from "@/lib/session/session";
import { pledgeLimits } from "@/lib/payments/pledge-limits";
import { paths } from "@/lib/page/paths";
import { useHydrated } from "@/lib/page/use-hydrated";
import { useQuery } from "@/lib/page/use-query";
import { useResource } from "@/lib/api/resource";
import { memberCloth } from "@/art/member-cloth";
import { pledgeDollarsMin } from "@/rules.json";
import styles from "./payment-thanks.module.css";

const t = translator(pageTexts);

/** Thanks for a payment, with the amount from the query if it is valid. */
export function PaymentThanks() {
  const query = useQuery("amount");
  const amount = readAmount(query ?? null);
  const hydrated = useHydrated();
  const { state } = useLocation();
  const giver = hydrated ? readGiver(state) : null;
  const stats = useResource("/stats").data;
  const cloth = memberCloth(stats?.changemakers ?? 0);
  return (
    <section className={classNames("field-hero", styles.page)}>
      <div className={classNames("wrap", styles.inner)}>
        <div>
          <h1>{t("thanks")}</h1>
          {query === undefined ? <p className="lead">{"\u00a0"}</p> : null}
          {amount === null ? null : (
            <p className="lead">
              {rich(t("thanks.sent", { amount: `<b>${amount}</b>` }), {
                b: (inner) => <b className="num">{inner}</b>,
              })}
            </p>
          )}
          {giver === null ? null : <ForGiver giver={giver} />}
          <ButtonLink
            arrow={giver === null}
            kind={giver === null ? "ink" : "line"}
            size={giver === null ? "lg" : "md"}
            to={paths.dashboard}
          >
            {t("thanks.go")}
          </ButtonLink>
        </div>
        <div className={styles.cloth}>
          <Cloth columns={cloth.side} id="thanks" rows={cloth.side} woven={cloth.woven} />
        </div>
      </div>
    </section>
  );
}

type Giver = {
  readonly email: string;
  readonly name: string;
  /** The gift's entry in the books; null while it waits. */
  readonly entry: string | null;
};

/** What a giver without an account may want next; what they typed is kept for joining. */
function ForGiver({ giver }: { readonly giver: Giver }) {
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const join = () => {
    const [firstname = "", ...rest] = giver.name.split(" ");
    const known = { firstname, lastname: rest.join(" "), email: giver.email };
    writeDraft("jara-join", { ...readDraft("jara-join"), ...known, contribution: String(pledgeDollarsMin) });
    void navigate(paths.join);
  };
  return (
    <>
      <div>
        <p>{t("thanks.receipt", { email: giver.email })}</p>
        <p>
          {rich(giver.entry === null ? t("thanks.books") : t("thanks.entry", { entry: giver.entry }), {
            ledger: (inner) => (
              <Link className="link" to={giver.entry === null ? paths.ledger : paths.entry(giver.entry)}>
                {inner}
              </Link>
            ),
            impact: (inner) => (
              <Link className="link" to={paths.impact}>
                {inner}
              </Link>
            ),
          })}
        </p>
      </div>
      {signedIn ? null : (
        <Button arrow kind="ink" onClick={join} size="lg">
          {t("thanks.monthly", pledgeLimits())}
        </Button>
      )}
    </>
  );
}

/** Who has just given, as the form handed it over. */
function readGiver(state: unknown): Giver | null {
  const { email, name, entry = null } =
    (state as { readonly giver?: Partial<Giver> } | null)?.giver ?? {};
  return typeof email === "string" && typeof name === "string" ? { email, name, entry } : null;
}

// Anything but digits and one decimal point is ignored.
function readAmount(value: string | null): string | null {
  if (value === null || !/^\d{1,7}(\.\d{1,2})?$/.test(value)) return null;
  const [dollars = "0", decimals = ""] = value.split(".");
  const cents = Number(dollars) * 100 + Number(decimals.padEnd(2, "0"));
  return decimals === "" ? formatDollarsOfCents(cents) : formatCents(cents);
}
