import { screen } from "@testing-library/react";
import { publicAnswers } from "@/testing/builders";
import { fakeApi, withStatus, type FakeApi } from "@/testing/fake-api";
import { aProfile } from "@/testing/member";
import { renderApp } from "@/testing/render-app";

/** Answers to registering: accepted, and to be confirmed with the bank. */
export const JOINED = { success: true, token: "t.o.k", message: "Payment successful" };
export const ASKS = { ...JOINED, requiresAction: true, intentType: "payment", clientSecret: "cs_1" };

/** Answers every call of the join page. */
export function joinAnswers(): FakeApi {
  return fakeApi({
    ...publicAnswers(),
    "GET /countries": [
      { name: "Canada", isoCode: "CA" },
      { name: "Haiti", isoCode: "HT" },
    ],
    "POST /email-exists": { success: true },
    "POST /register": withStatus(201, JOINED),
    "GET /user/get-profile": aProfile(),
    "GET /events": [],
    "GET /regions": [],
  });
}

export const next = () => screen.getByRole("button", { name: "Next" });
export const amount = () => screen.getByLabelText("Amount in US dollars");

type User = ReturnType<typeof renderApp>["user"];

export async function fill(user: User, label: string, text: string) {
  await user.clear(screen.getByLabelText(label));
  await user.click(screen.getByLabelText(label));
  await user.paste(text);
}

export async function introduce(user: User) {
  await screen.findByRole("option", { name: "Canada" });
  await fill(user, "First name", "Amara");
  await fill(user, "Last name", "Joseph");
  await fill(user, "Email", "amara@example.org");
  await fill(user, "Password", "kente river");
  await user.selectOptions(screen.getByLabelText("Country"), "Canada");
  await user.click(screen.getByRole("checkbox", { name: /privacy policy/ }));
}

export async function toAmount() {
  const { user, ...view } = renderApp("/join");
  await introduce(user);
  await user.click(next());
  await screen.findByLabelText("Amount in US dollars");
  return { user, ...view };
}

export async function toCard() {
  const { user, ...view } = await toAmount();
  await user.click(next());
  await screen.findByLabelText("Card number");
  return { user, ...view };
}

/** The screen after paying. */
export const seesWoven = () => screen.findByRole("heading", { level: 1, name: /\bsquare\b/ });

export async function pay(user: User, number = "4242424242424242") {
  await fill(user, "Card number", number);
  await fill(user, "Expiry", "0499");
  await fill(user, "CVC", "123");
  await user.click(screen.getByRole("button", { name: "Join Jara" }));
}
