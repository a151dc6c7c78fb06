import type { loadStripeOnce } from "@/lib/payments/stripe";

type Stripe = NonNullable<Awaited<ReturnType<typeof loadStripeOnce>>>;

export type StripeStub = {
  readonly stripe: Stripe;
  /** Options of the form. */
  readonly options: Record<string, unknown>;
  /** Arguments of each created payment method. */
  readonly made: unknown[];
};

type Failure = { readonly message: string };

/** Stub of the calls of Stripe's script that the site uses. */
export function stripeStub({
  submitError,
  methodError,
  actionError,
}: {
  readonly submitError?: Failure;
  readonly methodError?: Failure;
  readonly actionError?: Failure;
} = {}): StripeStub {
  const options: Record<string, unknown> = {};
  const made: unknown[] = [];
  const elements = {
    create: () => paymentElement(),
    getElement: () => null,
    update: (changes: object) => void Object.assign(options, changes),
    submit: () => Promise.resolve(submitError === undefined ? {} : { error: submitError }),
  };
  const stripe = {
    elements: (given: object) => {
      Object.assign(options, given);
      return elements;
    },
    createPaymentMethod: ({ params }: { params: unknown }) => {
      made.push(params);
      const id = `pm_${made.length}`;
      return Promise.resolve(
        methodError === undefined ? { paymentMethod: { id } } : { error: methodError },
      );
    },
    handleNextAction: () =>
      Promise.resolve(actionError === undefined ? { paymentIntent: {} } : { error: actionError }),
    createToken: () => Promise.resolve({}),
    confirmCardPayment: () => Promise.resolve({}),
  };
  return { stripe: stripe as unknown as Stripe, options, made };
}

function paymentElement() {
  const listeners = new Map<string, () => void>();
  const element = {
    on: (event: string, listener: () => void) => {
      listeners.set(event, listener);
      return element;
    },
    off: () => element,
    mount: (node: HTMLElement) => {
      node.textContent = "Stripe's form";
      queueMicrotask(() => listeners.get("ready")?.());
    },
    update: () => undefined,
    destroy: () => undefined,
  };
  return element;
}
