import { useEffect, useState, type ReactNode } from "react";
import { ButtonLink } from "@/components/button/button";
import { ClothPiece, Tile } from "@/components/tile/tile";
import paymentTexts from "@/messages/en/joining-payment.json";
import { tileCode } from "@/art/tiles";
import { fullName } from "@/lib/member/own-tile";
import { paths } from "@/lib/page/paths";
import { translator } from "@/lib/text/messages";
import { apiGet } from "@/lib/api/api-client";
import styles from "./woven-in.module.css";

const t = translator(paymentTexts);
const BEFORE = 4;
// On a phone it is below the button that was pressed.
const show = (section: HTMLElement | null) => section?.scrollIntoView({ block: "nearest" });

/** The new member's square joins the cloth. */
export function WovenIn({
  person,
  isPaid,
  children,
}: {
  readonly person: { readonly firstname: string; readonly lastname: string };
  /** Whether the first payment is through; else it is still to come. */
  readonly isPaid: boolean;
  readonly children: ReactNode;
}) {
  const count = useCountWithOwn(isPaid);
  return (
    <section
      aria-label={t("woven.label")}
      className={styles.woven}
      ref={show}
    >
      <div aria-hidden="true" className={styles.cloth}>
        <ClothPiece columns={BEFORE} rows={1} />
        <Tile className={styles.own} name={fullName(person)} />
      </div>
      <p className={styles.words}>
        <b>{wordsOf(isPaid, count)}</b> {isPaid ? children : null}
      </p>
      <div className="row">
        {isPaid ? <ButtonLink to={paths.proposals}>{t("woven.vote")}</ButtonLink> : null}
        <ButtonLink kind="line" to={`${paths.share}?square=${tileCode(fullName(person))}`}>
          {t("woven.share")}
        </ButtonLink>
      </div>
    </section>
  );
}

function wordsOf(isPaid: boolean, count: number | null): string {
  if (!isPaid) return t("woven.later");
  return count === null ? t("woven.unknown") : t("woven", { count });
}

/** The number of changemakers, asked after the payment so that it counts the new one. */
function useCountWithOwn(when: boolean): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    if (!when) return;
    apiGet("/stats")
      .then(({ changemakers }) => setCount(changemakers))
      .catch(() => null);
  }, [when]);
  return count;
}
