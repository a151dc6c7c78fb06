import { useEffect, useRef, useState, type FormEvent } from "react";
import { Button } from "@/components/button/button";
import { CoverPledgeFee } from "@/components/card-fee/lazy-cover-fee";
import { MoneyInput } from "@/components/money-input/money-input";
import membershipTexts from "@/messages/en/membership.json";
import { apiSend } from "@/lib/api/api-client";
import { useResourceCache } from "@/lib/api/resource";
import { paysWithoutCard } from "@/lib/member/member";
import { translator } from "@/lib/text/messages";
import { pledgeFaultText, readPledge } from "@/lib/payments/pledge-amount";
import { quickDollars } from "@/rules.json";
import { useMemberArea } from "@/lib/member/member-context";
import { useMemberAction } from "@/lib/member/use-member-action";
import styles from "./pledge-card.module.css";

const t = translator(membershipTexts);

/** Changes the monthly amount. What is not whole dollars within the limits is refused beside the field. */
export function AmountEditor({ onClose }: { readonly onClose: () => void }) {
  const { member } = useMemberArea();
  const [typed, setTyped] = useState(String(member.subscriptionAmount));
  const { busy, refusal, run, reset } = useMemberAction();
  const byHand = paysWithoutCard(member);
  const cache = useResourceCache();
  const { dollars } = readPledge(typed);
  const [asked, setAsked] = useState(false);
  const [covers, setCovers] = useState<number | null>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), [asked]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (dollars === null) return;
    const body = { subscriptionAmount: dollars };
    const change = () =>
      byHand ? apiSend("PUT /user/pledge", body) : apiSend("PUT /user/update-subscription", body);
    if (!(await run(change, "form"))) return;
    if (byHand) cache.invalidate("/user/payment");
    onClose();
  };
  return (
    <form className={styles.editor} noValidate onSubmit={(event) => void submit(event)} ref={form}>
      <MoneyInput
        error={(asked ? pledgeFaultText(typed) : null) ?? refusal?.message}
        help={t("contribution.help")}
        label={t("contribution.label")}
        // Spec §5: what is not a number counts as 0.
        notNumber="0"
        onChange={(value) => {
          setTyped(value);
          setCovers(null);
          setAsked(false);
          reset();
        }}
        per={t("contribution.per")}
        picks={quickDollars}
        picksLabel={t("contribution.picks")}
        small
        value={typed}
      />
      {dollars === null || byHand ? null : (
        <CoverPledgeFee
          covers={covers}
          disabled={busy}
          dollars={dollars}
          onChange={(pledged, covered) => {
            setTyped(String(pledged));
            setCovers(covered);
          }}
        />
      )}
      <div className="row">
        <Button busy={busy ? t("updating") : false} kind="accent" size="sm" type="submit">
          {t("update")}
        </Button>
        <Button disabled={busy} kind="line" onClick={onClose} size="sm">
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
}
