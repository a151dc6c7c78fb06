import { apiSend } from "@/lib/api/api-client";
import { list, nothing, number, object, text, withDefault } from "@/lib/api/decode";
import type { Resource } from "@/lib/api/resource";

export type Payment = {
  readonly date: string;
  readonly kind: string;
  readonly amountCents: number;
  readonly returnedCents: number;
  readonly entry: string;
};

export const paymentList: Resource<Payment[]> = {
  path: "/user/contributions",
  decode: list(
    object<Payment>({
      date: text,
      kind: text,
      amountCents: number,
      returnedCents: withDefault(number, 0),
      entry: text,
    }),
  ),
};

export function replaceCard(paymentMethodId: string): Promise<null> {
  return apiSend("PUT", "/user/pledge", { paymentMethodId }, nothing);
}

export function cancelPledge(): Promise<null> {
  return apiSend("PUT", "/user/pledge", { canceled: true }, nothing);
}
