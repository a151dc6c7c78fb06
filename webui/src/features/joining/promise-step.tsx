import { useEffect, useRef, useState, type FormEvent } from "react";
import { Link } from "react-router-dom";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { PaymentErrorBox } from "@/components/card-form/payment-error-box";
import { PaymentDetails } from "@/components/payment-details/payment-details";
import promiseTexts from "@/messages/en/promise.json";
import { ApiError, apiSend } from "@/lib/api/api-client";
import { useResourceCache } from "@/lib/api/resource";
import type { OtherWay } from "@/lib/models/other-ways";
import { hasNoAnswer, newIdempotencyKey } from "@/lib/payments/payment-answer";
import type { PaymentFailure } from "@/lib/payments/use-card-payment";
import { paths } from "@/lib/page/paths";
import { storeToken } from "@/lib/session/token-storage";
import { formatCents } from "@/lib/text/format";
import { rich, translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import { faultsOf, forgetJoinDraft, type JoinDraftState } from "./join-draft";
import { promiseOf } from "./registration";
import styles from "./joining.module.css";

const t = translator(promiseTexts);

/** Step 3 without a card: a promise, then how to pay it. */
export function PromiseStep({
  form,
  dollars,
  way,
  onHeld,
}: {
  readonly form: JoinDraftState;
  readonly dollars: number;
  readonly way: OtherWay;
  readonly onHeld: (held: boolean) => void;
}) {
  const { stage, failure, promise } = usePromise(form, way);
  const held = stage !== "open";
  useEffect(() => {
    onHeld(held);
    return () => onHeld(false);
  }, [held, onHeld]);
  if (stage === "done") return <Promised />;
  const amount = formatCents(dollars * 100);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void promise();
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <Alert kind="info">
        <p>{rich(t("notice", { amount }), { b: (inner) => <strong>{inner}</strong> })}</p>
      </Alert>
      <PaymentErrorBox failure={failure} />
      <Button block busy={stage === "joining" ? t("joining") : false} size="lg" type="submit">
        {t("join")}
      </Button>
      <p className={styles.below}>{t("agree")}</p>
    </form>
  );
}

function Promised() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.form}>
      <h2 ref={heading} tabIndex={-1}>
        {t("joined")}
      </h2>
      <PaymentDetails />
      <p>
        {t("joined.text")}{" "}
        <Link className="link" to={paths.dashboard}>
          {t("joined.go")}
        </Link>
      </p>
    </section>
  );
}

type Stage = "open" | "joining" | "done";

/** Registers with a promise; a request without an answer is sent again with the same key. */
function usePromise(form: JoinDraftState, way: OtherWay) {
  const [stage, setStage] = useState<Stage>("open");
  const [failure, setFailure] = useState<PaymentFailure | null>(null);
  const unanswered = useRef<{ body: ReturnType<typeof promiseOf>; key: string } | null>(null);
  const cache = useResourceCache();
  const promise = async () => {
    if (stage !== "open") return;
    setStage("joining");
    setFailure(null);
    const request = unanswered.current ?? {
      body: promiseOf(form.draft, form.password, way),
      key: newIdempotencyKey(),
    };
    try {
      const options = { idempotencyKey: request.key };
      const answer = await apiSend("POST /register/promise", request.body, options);
      unanswered.current = null;
      storeToken(answer.token);
    } catch (error) {
      const lost = hasNoAnswer(error);
      unanswered.current = lost ? request : null;
      if (error instanceof ApiError) form.setFaults(faultsOf(error));
      setFailure({ kind: "refused", message: lost ? t("no-answer") : messageOf(error) });
      setStage("open");
      return;
    }
    forgetJoinDraft();
    // Refetches what was loaded as a visitor.
    cache.invalidate("/");
    notify.success(t("joined"));
    setStage("done");
  };
  return { stage, failure, promise };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
