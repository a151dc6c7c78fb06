import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { publicAnswers } from "@/testing/builders";
import { fakeApi, refusal, type FakeApi } from "@/testing/fake-api";
import { aProfile } from "@/testing/member";
import { expectNoBarriers, renderApp } from "@/testing/render-app";

let api: FakeApi;

const PAYMENT = {
  date: "2026-11-20",
  kind: "pledge",
  amountCents: 1000,
  returnedCents: 0,
  dispute: null,
  entry: "e1",
};

beforeEach(() => {
  localStorage.setItem("token", "t.o.k");
  api = fakeApi({
    ...publicAnswers(),
    "GET /user/get-profile": aProfile(),
    "GET /user/contributions": [PAYMENT, { ...PAYMENT, entry: "e2", returnedCents: 1000 }],
    "PUT /user/pledge": { success: true, message: "Your pledge is changed." },
  });
});

const changes = () =>
  api.calls.filter(({ path }) => path === "/user/pledge").map(({ body }) => body);

async function typeCard(number: string) {
  const { user } = renderApp("/sandbox/billing");
  await user.type(await screen.findByLabelText("Card number"), number);
  await user.type(screen.getByLabelText("Expiry"), "0499");
  await user.type(screen.getByLabelText("CVC"), "123");
  await user.click(screen.getByRole("button", { name: "Use this card from now on" }));
}

test("past payments are listed, and the page says that it is a sandbox", async () => {
  renderApp("/sandbox/billing");

  expect(await screen.findByRole("table", { name: "Past payments" })).toBeVisible();
  expect(screen.getAllByText("Monthly contribution")).toHaveLength(2);
  expect(screen.getByText("Refunded $10.00")).toBeVisible();
  expect(screen.getByRole("heading", { name: "Billing (sandbox)" })).toBeVisible();
  expect(await screen.findByText("Sandbox payments")).toBeVisible();
  await expectNoBarriers();
});

test("the card is replaced by the name of a test card", async () => {
  await typeCard("5555555555554444");

  expect(await screen.findByText("Your card has been replaced.")).toBeVisible();
  expect(changes()).toEqual([{ paymentMethodId: "pm_card_mastercard" }]);
});

test("a refused card shows an error box", async () => {
  api.answer("PUT /user/pledge", refusal(402, "Your card was declined."));
  await typeCard("4000000000000002");

  expect(await screen.findByRole("alert")).toHaveTextContent("Your card was declined.");
});

test("the pledge stops after a second click", async () => {
  const { user } = renderApp("/sandbox/billing");
  await user.click(await screen.findByRole("button", { name: "Stop my pledge" }));
  expect(changes()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Are you sure? Press again to stop." }));

  expect(await screen.findByText("Your pledge has stopped.")).toBeVisible();
  expect(changes()).toEqual([{ canceled: true }]);
});

test("a pledge that is not active redirects to the dashboard", async () => {
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "canceled", nextChargeOn: null }));
  renderApp("/sandbox/billing");

  expect(await screen.findByText(/start your pledge again on your dashboard/)).toBeVisible();
  expect(screen.queryByLabelText("Card number")).toBeNull();
});

test("a visitor is asked to sign in", async () => {
  localStorage.removeItem("token");
  renderApp("/sandbox/billing");

  await waitFor(() => expect(screen.getByText("Sign in to see your billing.")).toBeVisible());
  expect(api.calls.some(({ path }) => path.startsWith("/user/"))).toBe(false);
});
