import { apiGet, apiSend } from "@/lib/api-client";
import type { BillingDay } from "@/lib/billing-day";
import { list, object, oneOf, optional, text, withDefault, type Decoder } from "@/lib/decode";
import { todoItems, type TodoItem } from "@/lib/member";
import { paymentAnswer, type PaymentAnswer } from "@/lib/payments";
import type { Resource } from "@/lib/resource";

/** A change that was made: the sentence for the member, and a token where the old one has ended. */
export type Changed = { readonly message: string; readonly token: string | null };

const changed = object<Changed>({ message: withDefault(text, ""), token: optional(text) });

export type Region = {
  readonly id: string;
  readonly name: string;
  readonly status: "Active" | "Partial" | "Not yet";
};

export const regionList: Resource<Region[]> = {
  path: "/regions",
  decode: list(
    object<Region>({ id: text, name: text, status: oneOf(["Active", "Partial", "Not yet"]) }),
  ),
};

export type CommunityEvent = {
  readonly id: string;
  readonly title: string;
  readonly date: string;
  readonly place: string | null;
  readonly link: string | null;
  readonly description: string | null;
};

export const eventList: Resource<CommunityEvent[]> = {
  path: "/events",
  decode: list(
    object<CommunityEvent>({
      id: text,
      title: text,
      date: text,
      place: optional(text),
      link: optional(text),
      description: optional(text),
    }),
  ),
};

export type ProfileChange = Readonly<
  | { firstname: string; lastname: string }
  | { email: string }
  | { newPassword: string; confirmNewPassword: string }
  | { notifications: boolean }
>;

/** @param currentPassword is given when the server asked for it (403 reauth_required). */
export function updateProfile(change: ProfileChange, currentPassword?: string): Promise<Changed> {
  const body = currentPassword === undefined ? change : { ...change, currentPassword };
  return apiSend("PUT", "/user/update-profile", body, changed);
}

export function updateSubscription(subscriptionAmount: number): Promise<Changed> {
  return apiSend("PUT", "/user/update-subscription", { subscriptionAmount }, changed);
}

export type PledgeChange = Readonly<
  { billingDay: BillingDay } | { paused: boolean } | { skipNext: boolean } | { canceled: true }
>;

export function changePledge(change: PledgeChange): Promise<Changed> {
  return apiSend("PUT", "/user/pledge", change, changed);
}

export type NewPledge = {
  readonly paymentMethodId: string;
  readonly subscriptionAmount: number;
  readonly billingDay: BillingDay;
};

/** Begins a pledge again, answered as registering is. */
export function startPledge(pledge: NewPledge, idempotencyKey: string): Promise<PaymentAnswer> {
  return apiSend("PUT", "/user/pledge", pledge, paymentAnswer, { idempotencyKey });
}

export async function setTodo(id: string, completed: boolean): Promise<TodoItem[]> {
  const path = `/user/todo/${encodeURIComponent(id)}`;
  return (await apiSend("PUT", path, { completed }, object({ todo: todoItems }))).todo;
}

/** Where past payments and the card are. */
export async function billingAddress(): Promise<string> {
  return (await apiGet("/billing", object({ url: text }))).url;
}

export function exportMyData(): Promise<unknown> {
  return apiGet("/user/export", asItIs);
}

export function signOutEverywhere(): Promise<Changed> {
  return apiSend("POST", "/user/logout-everywhere", {}, changed);
}

export function deleteAccount(currentPassword?: string): Promise<Changed> {
  const body = currentPassword === undefined ? {} : { currentPassword };
  return apiSend("DELETE", "/user/delete-account", body, changed);
}

const asItIs: Decoder<unknown> = (value) => value;
