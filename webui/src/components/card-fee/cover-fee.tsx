import { useId } from "react";
import { Checkbox } from "@/components/field/checkbox";
import fieldStyles from "@/components/field/field.module.css";
import cardFeeTexts from "@/messages/en/card-fee.json";
import { useKnownConfig } from "@/lib/models/config";
import { coverFee, coverPledge, estimateFee, type CardFee } from "@/lib/payments/card-fee";
import { amountOf, formatDollars, formatDollarsOfCents } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { pledgeDollarsMax } from "@/rules.json";

const t = translator(cardFeeTexts);

/** Offers to give more, so that the whole gift is left after the card fee. */
export function CoverGiftFee({
  giftCents,
  fee,
  checked,
  disabled = false,
  onChange,
}: {
  readonly giftCents: number;
  readonly fee: CardFee;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  const extra = coverFee(giftCents, fee) - giftCents;
  if (extra === 0) return null;
  const amounts = { fee: formatDollarsOfCents(extra), gift: amountOf(giftCents, formatDollarsOfCents) };
  return (
    <Offer
      checked={checked}
      disabled={disabled}
      help={checked ? t("gift.sum", amounts) : t("estimate")}
      onChange={onChange}
    >
      {t("gift", amounts)}
    </Offer>
  );
}

/**
 * The same for a pledge. It stays in whole dollars, so the next whole dollar is pledged instead;
 * `covers` is the amount that was chosen before, while the pledge covers its fee.
 */
export function CoverPledgeFee({
  dollars,
  covers,
  disabled = false,
  onChange,
}: {
  readonly dollars: number;
  readonly covers: number | null;
  readonly disabled?: boolean;
  readonly onChange: (dollars: number, covers: number | null) => void;
}) {
  const fee = useKnownConfig()?.cardFee;
  const chosen = covers ?? dollars;
  const whole = fee === undefined ? chosen : coverPledge(chosen, fee);
  if (fee === undefined || whole === chosen || whole > pledgeDollarsMax) return null;
  const pledged = formatDollars(covers === null ? chosen : whole);
  const taken = estimateFee((covers === null ? chosen : whole) * 100, fee);
  return (
    <Offer
      checked={covers !== null}
      disabled={disabled}
      help={t("pledge.help", { fee: formatDollarsOfCents(taken), pledged })}
      onChange={(checked) => (checked ? onChange(whole, chosen) : onChange(chosen, null))}
    >
      {t("pledge", { whole: formatDollars(whole), chosen: amountOf(chosen * 100, formatDollarsOfCents) })}
    </Offer>
  );
}

function Offer({
  help,
  children,
  checked,
  disabled,
  onChange,
}: {
  readonly help: string;
  readonly children: string;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div>
      <Checkbox
        aria-describedby={id}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      >
        {children}
      </Checkbox>
      <p aria-live="polite" className={fieldStyles.help} id={id}>
        {help}
      </p>
    </div>
  );
}
