import { useSearchParams } from "react-router-dom";
import { ButtonLink } from "@/components/button/button";
import { Cloth } from "@/components/cloth/cloth";
import pageTexts from "@/messages/en/pages.json";
import { classNames } from "@/lib/ui/class-names";
import { formatCents, formatDollarsOfCents } from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useResource } from "@/lib/api/resource";
import { siteStats } from "@/lib/models/stats";
import { memberCloth } from "@/art/member-cloth";
import styles from "./payment-thanks.module.css";

const t = translator(pageTexts);

/** Thanks for a payment, with the amount from the query if it is valid. */
export function PaymentThanks() {
  const amount = readAmount(useSearchParams()[0].get("amount"));
  const stats = useResource(siteStats).data;
  const cloth = memberCloth(stats?.changemakers ?? 0);
  return (
    <section className={classNames("field-hero", styles.page)}>
      <div className={classNames("wrap", styles.inner)}>
        <div>
          <h1>{t("thanks")}</h1>
          {amount === null ? null : (
            <p className="lead">
              {rich(t("thanks.sent", { amount: `<b>${amount}</b>` }), {
                b: (inner) => <b className="num">{inner}</b>,
              })}
            </p>
          )}
          <ButtonLink arrow kind="ink" size="lg" to={paths.dashboard}>
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

// Anything but digits and one decimal point is ignored.
function readAmount(value: string | null): string | null {
  if (value === null || !/^\d{1,7}(\.\d{1,2})?$/.test(value)) return null;
  const [dollars = "0", decimals = ""] = value.split(".");
  const cents = Number(dollars) * 100 + Number(decimals.padEnd(2, "0"));
  return decimals === "" ? formatDollarsOfCents(cents) : formatCents(cents);
}
