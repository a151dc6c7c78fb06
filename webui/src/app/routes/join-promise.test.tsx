import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aConfig } from "@/testing/builders";
import { refusal, withStatus, type FakeApi } from "@/testing/fake-api";
import { fill, joinAnswers, toCard } from "@/testing/join-wizard";
import { aPayment, aProfile } from "@/testing/member";
import { expectNoBarriers, renderApp } from "@/testing/render-app";
import { aTrace } from "@/testing/trace";

let api: FakeApi;

beforeEach(() => {
  sessionStorage.clear();
  api = joinAnswers();
  api.answer("GET /config", aConfig({ ways: ["cash", "transfer"] }));
  api.answer("POST /register/promise", withStatus(201, { success: true, token: "t.o.k" }));
  api.answer("GET /user/payment", aPayment());
});

afterEach(() => vi.unstubAllGlobals());

const sent = () => api.calls.filter(({ path }) => path === "/register/promise");
const join = () => screen.getByRole("button", { name: "Join and see how to pay" });

async function toPromise() {
  const view = await toCard();
  await view.user.click(screen.getByRole("radio", { name: /Bank transfer/ }));
  await screen.findByRole("button", { name: "Join and see how to pay" });
  return view;
}

test("without other ways step 3 asks for the card alone", async () => {
  api.answer("GET /config", aConfig());
  await toCard();

  expect(screen.queryByText("How would you like to pay?")).toBeNull();
  expect(screen.queryByRole("radio")).toBeNull();
});

test("a promise without a card covers no card fee", async () => {
  const { user } = await toCard();
  await user.click(await screen.findByRole("checkbox", { name: /give \$11 a month/ }));
  await user.click(screen.getByRole("radio", { name: /Bank transfer/ }));
  await user.click(await screen.findByRole("button", { name: "Join and see how to pay" }));

  await waitFor(() => expect(sent()[0]?.body).toMatchObject({ contribution: "10" }));
});

test("a promise says that it gives no vote, and shows how to pay", async () => {
  const { user } = await toPromise();
  expect(
    screen.getByText(
      "A promise alone gives no vote. When your first payment is in, you may vote.",
    ),
  ).toBeVisible();
  expect(screen.getByText("your first payment")).toBeVisible();
  expect(screen.queryByLabelText("Card number")).toBeNull();
  await user.click(join());
  const heading = await screen.findByRole("heading", { name: "Your promise is noted" });
  expect(heading).toHaveFocus();
  expect(await screen.findByText("J7K3-QXW2")).toBeVisible();
  expect(screen.getByText("DE89 3704 0044 0532 0130 00")).toBeVisible();
  expect(screen.getByText("Waiting for your first payment")).toBeVisible();
  expect(screen.getByRole("img", { name: /QR code/ })).toBeVisible();
  expect(screen.queryByText("How would you like to pay?")).toBeNull();
  await expectNoBarriers();

  expect(localStorage.getItem("token")).toBe("t.o.k");
  expect(sent()[0]?.body).toEqual({
    firstname: "Amara",
    lastname: "Joseph",
    email: "amara@example.org",
    password: "kente river",
    country: "Canada",
    language: "en",
    notifications: false,
    privacyPolicy: true,
    contribution: "10",
    way: "transfer",
  });
});

test("the reference is copied, and a browser that refuses says so", async () => {
  const { user } = await toPromise();
  await user.click(join());
  const copy = await screen.findByRole("button", { name: "Copy: Reference" });
  await user.click(copy);
  expect(await navigator.clipboard.readText()).toBe("J7K3-QXW2");
  expect(copy).toHaveTextContent("Copied");

  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
  await user.click(screen.getByRole("button", { name: "Copy: IBAN" }));
  expect(await screen.findByText(/did not let us copy it/)).toBeVisible();
});

test("without an answer the same request is sent again", async () => {
  api.answer("POST /register/promise", () => {
    throw new TypeError("network");
  });
  const { user } = await toPromise();
  await user.click(join());
  expect(await screen.findByRole("alert")).toHaveTextContent("We got no answer.");
  api.answer("POST /register/promise", withStatus(201, { success: true, token: "t.o.k" }));
  await user.click(join());
  await screen.findByText("J7K3-QXW2");
  const [first, second] = sent();

  expect(second?.body).toEqual(first?.body);
  expect(second?.headers["Idempotency-Key"]).toBe(first?.headers["Idempotency-Key"]);
});

test("a refusal stands above the button, and at its field", async () => {
  const taken = { code: "email_taken", message: "This email has an account.", error: "." };
  api.answer("POST /register/promise", withStatus(409, taken));
  const { user } = await toPromise();
  await user.click(join());

  expect(await screen.findByRole("alert")).toHaveTextContent("This email has an account.");
  await user.click(await screen.findByRole("button", { name: "Back" }));
  await user.click(await screen.findByRole("button", { name: "Back" }));
  expect(await screen.findByLabelText("Email")).toBeInvalid();
  await fill(user, "Email", "other@example.org");
});

test("cash has no account and no code", async () => {
  api.answer(
    "GET /user/payment",
    aPayment({ way: "cash", iban: "", holder: "", code: null, details: "At the office" }),
  );
  const { user } = await toCard();
  await user.click(screen.getByRole("radio", { name: /^Cash/ }));
  await user.click(await screen.findByRole("button", { name: "Join and see how to pay" }));

  expect(await screen.findByText("At the office")).toBeVisible();
  expect(screen.queryByText("IBAN")).toBeNull();
  expect(screen.queryByRole("img", { name: /QR code/ })).toBeNull();
});

test.each([
  ["incomplete", null, "Waiting for your first payment"],
  ["active", "2026-12-20", "Paid until 20 December"],
  ["past_due", "2026-11-12", "Your payments covered your pledge until 12 November"],
] as const)("the dashboard of a pledge that is %s says so, without a card", async (status, until, title) => {
  localStorage.setItem("token", "t.o.k");
  const pledge = { way: "transfer", pledgeStatus: status, nextChargeOn: until, mayVote: false } as const;
  api.answer("GET /user/get-profile", aProfile({ ...pledge, mayVoteFrom: null }));
  api.answer("GET /user/payment", aPayment({ pledgeStatus: status, paidUntil: until }));
  const { user } = renderApp("/dashboard");
  const card = await screen.findByRole("region", { name: "How you pay" });

  expect(await within(card).findByText(title)).toBeVisible();
  expect(within(card).getByText("J7K3-QXW2")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Update my card" })).toBeNull();
  expect(await within(card).findByRole("button", { name: "Pay by card instead" })).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Account" }));
  expect(await screen.findByText(/You pay this pledge yourself/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /billing/i })).toBeNull();
});

test.each([
  ["active", "2026-12-20", "2027-01-02", "You can vote until 2 January 2027."],
  ["active", "2026-12-20", null, "Your payments cover your pledge until then."],
  ["past_due", "2026-11-12", "2026-11-25", "Pay again to keep your vote. You can vote until 25 November."],
  ["past_due", "2026-11-12", null, "You can vote again once a payment arrives."],
] as const)("a pledge that is %s says until when its member may vote", async (status, paid, until, text) => {
  localStorage.setItem("token", "t.o.k");
  const vote = { mayVote: until !== null, mayVoteUntil: until };
  api.answer("GET /user/get-profile", aProfile({ way: "cash", pledgeStatus: status, ...vote }));
  const payment = { pledgeStatus: status, paidUntil: paid, mayVoteUntil: until };
  api.answer("GET /user/payment", aPayment(payment));
  renderApp("/dashboard");
  const card = await screen.findByRole("region", { name: "How you pay" });

  expect(await within(card).findByText(new RegExp(`${text}$`))).toBeVisible();
});

test("the form of a promise takes the focus, forgets a refusal, and gives the focus back", async () => {
  localStorage.setItem("token", "t.o.k");
  api.answer("GET /user/get-profile", aProfile({ way: "transfer", pledgeStatus: "active" }));
  api.answer("GET /user/payment", aPayment());
  api.answer("PUT /user/pledge", refusal(409, "Not now."));
  const { user } = renderApp("/dashboard");
  await user.click(await screen.findByRole("button", { name: "Change amount or way" }));
  const amount = await screen.findByRole("textbox", { name: /New monthly amount/ });
  expect(amount).toHaveFocus();

  await user.click(screen.getByRole("button", { name: "Update" }));
  expect(await screen.findByText("Not now.")).toBeVisible();
  await user.type(amount, "5");
  expect(screen.queryByText("Not now.")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("button", { name: "Change amount or way" })).toHaveFocus();
});

test("details that did not load can be asked for again", async () => {
  localStorage.setItem("token", "t.o.k");
  api.answer("GET /user/get-profile", aProfile({ way: "cash", pledgeStatus: "incomplete" }));
  api.answer("GET /user/payment", refusal(500, "No."));
  api.answer("GET /user/impact", aTrace());
  const { user } = renderApp("/dashboard");
  expect(await screen.findByText("How you pay did not load.")).toBeVisible();
  api.answer("GET /user/payment", aPayment());
  await user.click(screen.getByRole("button", { name: "Try again" }));

  await waitFor(() => expect(screen.getByText("J7K3-QXW2")).toBeVisible());
});
