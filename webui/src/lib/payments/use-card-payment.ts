import { useRef, useState } from "react";
import { ApiError } from "@/lib/api/api-client";
import type { BillingDetails, CardFormHandle } from "./card-form-handle";
import { dropDraft, readDraft, writeDraft } from "@/lib/session/draft-storage";
import { hasNoAnswer, newIdempotencyKey, type PaymentAnswer } from "./payment-answer";

export type PaymentFailure = {
  readonly kind: "refused" | "unanswered" | "declined";
  readonly message: string;
};

/** A request whose outcome is unknown. */
type Unanswered<Body> = { readonly body: Body; readonly key: string };

export type CardPayment = {
  readonly stage: "open" | "processing" | "done";
  readonly failure: PaymentFailure | null;
  /** True while the outcome of the last request is unknown: nothing may change meanwhile. */
  readonly locked: boolean;
  readonly pay: (cardForm: CardFormHandle, billing: BillingDetails) => Promise<void>;
};

/**
 * Makes a payment: each attempt uses a new payment method and idempotency key, except that a
 * request without an answer is retried unchanged with the same key.
 */
export function useCardPayment<Body>({
  makeBody,
  send,
  settle,
  keptAs,
}: {
  readonly makeBody: (paymentMethodId: string) => Body;
  readonly send: (body: Body, idempotencyKey: string) => Promise<PaymentAnswer>;
  /** Called when the card was accepted; a returned text is shown as an error. */
  readonly settle: (answer: PaymentAnswer, cardForm: CardFormHandle) => Promise<string | null>;
  /**
   * Storage key of a request until it is answered, so that a reload does not
   * lose it. Never use it for a body with a password.
   */
  readonly keptAs?: string | undefined;
}): CardPayment {
  const [stage, setStage] = useState<CardPayment["stage"]>("open");
  const [kept] = useState(() => (keptAs === undefined ? null : readUnanswered<Body>(keptAs)));
  const [failure, setFailure] = useState<PaymentFailure | null>(
    kept === null ? null : { kind: "unanswered", message: "" },
  );
  const unanswered = useRef(kept);
  const running = useRef(false);

  const keep = (request: Unanswered<Body> | null) => {
    unanswered.current = request;
    if (keptAs === undefined) return;
    if (request === null) dropDraft(keptAs);
    else writeDraft(keptAs, request);
  };

  const attempt = async (
    cardForm: CardFormHandle,
    billing: BillingDetails,
  ): Promise<PaymentFailure | null> => {
    let request = unanswered.current;
    if (request === null) {
      const made = await cardForm.makePaymentMethod(billing);
      if (made.error !== null) return { kind: "refused", message: made.error };
      request = { body: makeBody(made.id), key: newIdempotencyKey() };
      keep(request);
    }
    let answer: PaymentAnswer;
    try {
      answer = await send(request.body, request.key);
    } catch (error) {
      if (!hasNoAnswer(error)) keep(null);
      return failureOf(error);
    }
    keep(null);
    const wrong = await settle(answer, cardForm);
    return wrong === null ? null : { kind: "refused", message: wrong };
  };

  const pay = async (cardForm: CardFormHandle, billing: BillingDetails) => {
    if (running.current) return;
    running.current = true;
    setStage("processing");
    setFailure(null);
    const wrong = await attempt(cardForm, billing).catch((error: unknown) => ({
      kind: "refused" as const,
      message: messageOf(error),
    }));
    running.current = false;
    setFailure(wrong);
    setStage(wrong === null ? "done" : "open");
  };

  return { stage, failure, locked: failure?.kind === "unanswered", pay };
}

function readUnanswered<Body>(name: string): Unanswered<Body> | null {
  const { body, key } = readDraft(name);
  return typeof key === "string" && typeof body === "object" ? { body: body as Body, key } : null;
}

function failureOf(error: unknown): PaymentFailure {
  if (hasNoAnswer(error)) return { kind: "unanswered", message: messageOf(error) };
  const declined = error instanceof ApiError && error.status === 402;
  return { kind: declined ? "declined" : "refused", message: messageOf(error) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
