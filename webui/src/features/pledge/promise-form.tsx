import { useEffect, useRef, useState, type FormEvent } from "react";
import { Button } from "@/components/button/button";
import { MoneyInput } from "@/components/money-input/money-input";
import { RadioCards } from "@/components/radio-cards/radio-cards";
import membershipTexts from "@/messages/en/membership.json";
import promiseTexts from "@/messages/en/promise.json";
import { apiSend } from "@/lib/api/api-client";
import { useResourceCache } from "@/lib/api/resource";
import { useSiteConfig } from "@/lib/models/config";
import { pledgeFaultText, readPledge } from "@/lib/payments/pledge-amount";
import { translator } from "@/lib/text/messages";
import { useMemberArea } from "@/lib/member/member-context";
import { useMemberAction } from "@/lib/member/use-member-action";
import { pledgeDollarsDefault, quickDollars } from "@/rules.json";
import styles from "./pledge.module.css";

const t = translator(membershipTexts);
const promise = translator(promiseTexts);

/** The amount and the way of a pledge that its member pays without a card. */
export function PromiseForm({ onClose }: { readonly onClose: () => void }) {
  const { member } = useMemberArea();
  const ways = useSiteConfig().data?.ways ?? [];
  const [typed, setTyped] = useState(String(member.subscriptionAmount || pledgeDollarsDefault));
  const [chosen, setWay] = useState(ways.find((way) => way === member.way) ?? null);
  const way = chosen ?? ways[0];
  const { dollars } = readPledge(typed);
  const cache = useResourceCache();
  const { busy, refusal, run, reset } = useMemberAction();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (dollars === null || way === undefined) return;
    const body = { way, subscriptionAmount: dollars };
    if (!(await run(() => apiSend("PUT /user/pledge", body), "form"))) return;
    cache.invalidate("/user/payment");
    onClose();
  };
  if (way === undefined) return <p>{promise("none-text")}</p>;
  return (
    <form className={styles.start} noValidate onSubmit={(event) => void submit(event)} ref={form}>
      <MoneyInput
        error={pledgeFaultText(typed === "" ? "0" : typed) ?? refusal?.message}
        label={t("contribution.label")}
        onChange={(value) => {
          setTyped(value);
          reset();
        }}
        per={t("contribution.per")}
        picks={quickDollars}
        picksLabel={t("contribution.picks")}
        small
        value={typed}
      />
      <RadioCards
        cards={ways.map((value) => ({
          value,
          label: promise(`way.${value}`),
          note: promise(`note.${value}`),
        }))}
        legend={promise("choose")}
        onChange={setWay}
        value={way}
      />
      <div className="row">
        <Button busy={busy ? t("updating") : false} disabled={dollars === null} type="submit">
          {t("update")}
        </Button>
        <Button disabled={busy} kind="quiet" onClick={onClose}>
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
}
