import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { loadStripeOnce } from "@/lib/payments/stripe";
import { aConfig, publicAnswers } from "@/testing/builders";
import { fakeApi, refusal, withStatus, type FakeApi } from "@/testing/fake-api";
import { ASKS, JOINED, seesWoven } from "@/testing/join-wizard";
import { aProfile } from "@/testing/member";
import { renderApp } from "@/testing/render-app";
import { stripeStub, type StripeStub } from "@/testing/stripe-stub";

vi.mock("@/lib/payments/stripe", () => ({ loadStripeOnce: vi.fn() }));

let api: FakeApi;

beforeEach(() => {
  vi.mocked(loadStripeOnce).mockReset();
  sessionStorage.clear();
  api = fakeApi({
    ...publicAnswers(),
    "GET /config": aConfig({ payments: { provider: "stripe", publishableKey: "pk_test_1" } }),
    "GET /countries": [{ name: "Canada", isoCode: "CA" }],
    "POST /email-exists": { success: true },
    "POST /register": withStatus(201, JOINED),
    "GET /user/get-profile": aProfile(),
  });
});

const registrations = () => api.calls.filter(({ path }) => path === "/register");

async function toCard(stub: StripeStub) {
  vi.mocked(loadStripeOnce).mockResolvedValue(stub.stripe);
  const { user } = renderApp("/join");
  await screen.findByRole("option", { name: "Canada" });
  const fill = async (label: string, text: string) => {
    await user.click(screen.getByLabelText(label));
    await user.paste(text);
  };
  await fill("First name", "Amara");
  await fill("Last name", "Joseph");
  await fill("Email", "amara@example.org");
  await fill("Password", "kente river");
  await user.selectOptions(screen.getByLabelText("Country"), "Canada");
  await user.click(screen.getByRole("checkbox", { name: /privacy policy/ }));
  expect(loadStripeOnce).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Next" }));
  await user.click(await screen.findByRole("button", { name: "$20" }));
  await user.click(screen.getByRole("button", { name: "Next" }));
  return user;
}

const join = async (user: Awaited<ReturnType<typeof toCard>>) => {
  await screen.findByText("Stripe's form");
  await user.click(screen.getByRole("button", { name: "Join Jara" }));
};

test("Stripe's form is deferred, for a subscription in cents, and loaded only in step 3", async () => {
  const stub = stripeStub();
  const user = await toCard(stub);
  await join(user);
  await seesWoven();

  expect(stub.options).toMatchObject({
    mode: "subscription",
    amount: 2000,
    currency: "usd",
    paymentMethodCreation: "manual",
    allowedPaymentMethodTypes: ["card"],
  });
  expect(stub.made).toEqual([
    { billing_details: { name: "Amara Joseph", email: "amara@example.org" } },
  ]);
  expect(registrations()[0]?.body).toMatchObject({ paymentMethodId: "pm_1", contribution: "20" });
  expect(screen.queryByText("Sandbox payments")).toBeNull();
});

test.each([
  ["what was typed", stripeStub({ submitError: { message: "Your card number is incomplete." } })],
  ["the card", stripeStub({ methodError: { message: "Your card number is incomplete." } })],
])("Stripe's refusal of %s is in the red box, and nothing is sent", async (_what, stub) => {
  const user = await toCard(stub);
  await join(user);

  expect(await screen.findByRole("alert")).toHaveTextContent("Your card number is incomplete.");
  expect(registrations()).toEqual([]);
});

test("each attempt after an answer creates a new payment method", async () => {
  const stub = stripeStub();
  api.answer("POST /register", refusal(402, "Your card was declined."));
  const user = await toCard(stub);
  await join(user);
  await screen.findByText("Your card was declined.");
  api.answer("POST /register", withStatus(201, JOINED));
  await join(user);
  await seesWoven();

  expect(
    registrations().map(({ body }) => (body as { paymentMethodId: string }).paymentMethodId),
  ).toEqual(["pm_1", "pm_2"]);
});

test("without an answer the payment method is reused", async () => {
  const stub = stripeStub();
  api.answer("POST /register", withStatus(504, "gateway timeout"));
  const user = await toCard(stub);
  await join(user);
  await screen.findByText("We got no answer.");
  api.answer("POST /register", withStatus(201, JOINED));
  await join(user);
  await seesWoven();

  expect(stub.made).toHaveLength(1);
});

test("the bank's confirmation is handled by Stripe", async () => {
  api.answer("POST /register", withStatus(202, ASKS));
  const user = await toCard(stripeStub());
  await join(user);

  expect(await seesWoven()).toBeVisible();
});

test("a refusal by the bank shows Stripe's message", async () => {
  api.answer("POST /register", withStatus(202, ASKS));
  const user = await toCard(stripeStub({ actionError: { message: "Authentication failed." } }));
  await join(user);

  expect(await screen.findByRole("alert")).toHaveTextContent("Authentication failed.");
  expect(localStorage.getItem("token")).toBeNull();
});

test("a script that does not load shows an error and can be retried", async () => {
  const stub = stripeStub();
  const user = await toCard({ ...stub, stripe: null as never });
  expect(await screen.findByText("The card form did not load.")).toBeVisible();
  vi.mocked(loadStripeOnce).mockResolvedValue(stub.stripe);
  await user.click(screen.getByRole("button", { name: "Try again" }));

  await waitFor(() => expect(screen.getByText("Stripe's form")).toBeVisible());
});
