import { apiSend } from "@/lib/api/api-client";
import { list, nothing, number, object, text, withDefault, type Infer } from "@/lib/api/decode";

const payment = object({
  date: text,
  kind: text,
  amountCents: number,
  returnedCents: withDefault(number, 0),
  entry: text,
});

export type Payment = Infer<typeof payment>;

export const paymentList = { path: "/user/contributions", decode: list(payment) };

export function replaceCard(paymentMethodId: string): Promise<null> {
  return apiSend("PUT", "/user/pledge", { paymentMethodId }, nothing);
}

export function cancelPledge(): Promise<null> {
  return apiSend("PUT", "/user/pledge", { canceled: true }, nothing);
}
