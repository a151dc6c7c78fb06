import { useEffect, useRef, useState, type FormEvent } from "react";
import { Button } from "@/components/button/button";
import { MoneyInput } from "@/components/money-input/money-input";
import membershipTexts from "@/messages/en/membership.json";
import { useSiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { updateSubscription } from "./api";
import { useMemberArea } from "@/lib/member/member-context";
import { useMemberAction } from "@/lib/member/use-member-action";
import styles from "./pledge-card.module.css";

const t = translator(membershipTexts);

// Spec §9: quick amounts.
const QUICK_DOLLARS = [5, 10, 20];

/** Changes the monthly amount. Non-numbers become 0 (spec §5); the server checks the limits. */
export function AmountEditor({ onClose }: { readonly onClose: () => void }) {
  const { member } = useMemberArea();
  const [typed, setTyped] = useState(String(member.subscriptionAmount));
  const { busy, refusal, run, reset } = useMemberAction();
  const picks = useSiteConfig().data?.quickDollars ?? QUICK_DOLLARS;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await run(() => updateSubscription(wholeDollars(typed)))) onClose();
  };
  return (
    <form className={styles.editor} noValidate onSubmit={(event) => void submit(event)} ref={form}>
      <MoneyInput
        error={refusal?.message}
        help={t("contribution.help")}
        label={t("contribution.label")}
        onChange={(value) => {
          setTyped(String(wholeDollars(value)));
          reset();
        }}
        per={t("contribution.per")}
        picks={picks}
        picksLabel={t("contribution.picks")}
        small
        value={typed}
      />
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

function wholeDollars(typed: string): number {
  const dollars = Math.trunc(Number(typed));
  return Number.isFinite(dollars) ? dollars : 0;
}
