import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refusal, withStatus, type FakeApi } from "@/testing/fake-api";
import { ASKS, fill, joinAnswers, JOINED, pay, seesWoven, toCard } from "@/testing/join-wizard";
import { aProfile } from "@/testing/member";
import { currentAddress } from "@/testing/render-app";

let api: FakeApi;

beforeEach(() => {
  sessionStorage.clear();
  api = joinAnswers();
});

afterEach(() => vi.useRealTimers());

const calls = (path: string) => api.calls.filter((call) => call.path === path);

test("an email taken meanwhile shows an error above the button and at its field", async () => {
  const taken = { code: "email_taken", message: "This email has an account.", error: "." };
  api.answer("POST /register", withStatus(409, taken));
  const { user } = await toCard();
  await pay(user);
  expect(await screen.findByRole("alert")).toHaveTextContent("This email has an account.");
  await user.click(await screen.findByRole("button", { name: "Back" }));
  await user.click(await screen.findByRole("button", { name: "Back" }));

  const email = await screen.findByLabelText("Email");
  expect(email).toHaveAccessibleDescription("Type another email, or sign in with this one.");
  expect(email).toBeInvalid();
  await user.type(email, ".sn");
  expect(email).toBeValid();
});

test("the card joins: token, notice, and the dashboard after three seconds", async () => {
  const { user } = await toCard();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await pay(user);
  expect(await seesWoven()).toBeVisible();
  expect(localStorage.getItem("token")).toBe("t.o.k");
  expect(currentAddress()).toBe("/join?step=3");
  expect(screen.getByRole("link", { name: "Go to my dashboard now" })).toBeVisible();
  await vi.advanceTimersByTimeAsync(3000);

  await waitFor(() => expect(currentAddress()).toBe("/dashboard"));
  expect(calls("/register")[0]?.body).toEqual({
    firstname: "Amara",
    lastname: "Joseph",
    email: "amara@example.org",
    password: "kente river",
    country: "Canada",
    notifications: false,
    privacyPolicy: true,
    contribution: "10",
    billingDay: "current",
    language: "en",
    paymentMethodId: "pm_card_visa",
  });
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("amara");
});

test("a declined card shows a focused error box; the next attempt uses a new key", async () => {
  api.answer("POST /register", refusal(402, "Your card was declined."));
  const { user } = await toCard();
  await pay(user, "4000000000000002");
  const box = await screen.findByRole("alert");
  expect(box).toHaveTextContent("Your card was declined.");
  expect(box).toHaveFocus();
  expect(screen.getByLabelText("Expiry")).toHaveValue("04 / 99");

  api.answer("POST /register", withStatus(201, JOINED));
  await pay(user);
  await seesWoven();
  const [first, second] = calls("/register");
  expect(first?.body).toMatchObject({ paymentMethodId: "pm_card_chargeDeclined" });
  expect(second?.body).toMatchObject({ paymentMethodId: "pm_card_visa" });
  expect(second?.headers["Idempotency-Key"]).not.toBe(first?.headers["Idempotency-Key"]);
});

test("without an answer the same request is retried with the same key, and the form is locked", async () => {
  api.answer("POST /register", () => {
    throw new TypeError("network");
  });
  const { user } = await toCard();
  await pay(user);
  expect(await screen.findByRole("alert")).toHaveTextContent("We got no answer.");
  expect(screen.getByLabelText("Card number")).toBeDisabled();
  expect(screen.queryByRole("button", { name: "Back" })).toBeNull();

  api.answer("POST /register", withStatus(201, JOINED));
  await user.click(screen.getByRole("button", { name: "Join Jara" }));
  await seesWoven();
  const [first, second] = calls("/register");
  expect(second?.body).toEqual(first?.body);
  expect(second?.headers["Idempotency-Key"]).toBe(first?.headers["Idempotency-Key"]);
});

test("while it runs the button says Processing... and a second press does nothing", async () => {
  let finish: (response: Response) => void = () => undefined;
  const waiting = new Promise<Response>((resolve) => {
    finish = resolve;
  });
  const { user } = await toCard();
  const answered = globalThis.fetch;
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
    url === "/api/register" ? waiting : answered(url, init),
  );
  await pay(user);
  const button = await screen.findByRole("button", { name: "Processing..." });
  expect(button).toHaveAttribute("aria-busy", "true");
  await user.click(button);
  finish(withStatus(201, JOINED));

  expect(await seesWoven()).toBeVisible();
});

test("after the bank's confirmation the server is polled until the pledge is active", async () => {
  let asked = 0;
  api.answer("POST /register", withStatus(202, ASKS));
  api.answer("POST /sandbox/confirm", { success: true, message: "Confirmed." });
  api.answer("GET /user/get-profile", () => {
    asked += 1;
    return aProfile({ pledgeStatus: asked < 3 ? "incomplete" : "active" });
  });
  const { user } = await toCard();
  await pay(user, "4000002760003184");
  const dialog = await screen.findByRole("dialog", { name: "Confirm with your bank" });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await user.click(within(dialog).getByRole("button", { name: "Confirm the payment" }));
  await vi.advanceTimersByTimeAsync(4100);

  expect(await seesWoven()).toBeVisible();
  expect(calls("/sandbox/confirm")[0]?.body).toEqual({ clientSecret: "cs_1", outcome: "succeed" });
  expect(asked).toBe(3);
});

test("a payment still pending after fifteen seconds is reported as pending", async () => {
  api.answer("POST /register", withStatus(202, ASKS));
  api.answer("POST /sandbox/confirm", { success: true });
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "incomplete" }));
  const { user } = await toCard();
  await pay(user, "4000002760003184");
  const confirm = await screen.findByRole("button", { name: "Confirm the payment" });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await user.click(confirm);
  await vi.advanceTimersByTimeAsync(15_000);

  expect(await screen.findByText(/It hasn't reached us yet/)).toBeVisible();
});

test("a refused confirmation keeps the wizard, drops the token and registers again", async () => {
  api.answer("POST /register", withStatus(202, ASKS));
  api.answer("POST /sandbox/confirm", { success: true });
  const { user } = await toCard();
  await pay(user, "4000002760003184");
  await user.click(await screen.findByRole("button", { name: "Decline" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(/unable to authenticate/);
  expect(localStorage.getItem("token")).toBeNull();

  api.answer("POST /register", withStatus(201, JOINED));
  await pay(user);
  expect(await seesWoven()).toBeVisible();
});

test.each([
  ["4111111111111111", "0499", "123", /Only test cards work here/],
  ["4242", "0499", "123", /card number is incomplete/],
  ["4242424242424242", "13", "123", /expiry date is incomplete/],
  ["4242424242424242", "0120", "123", /expiry year is in the past/],
  ["4242424242424242", "0499", "1", /security code is incomplete/],
])("the test card form refuses %s %s %s", async (number, expiry, cvc, message) => {
  const { user } = await toCard();
  await fill(user, "Card number", number);
  await fill(user, "Expiry", expiry);
  await fill(user, "CVC", cvc);
  await user.click(screen.getByRole("button", { name: "Join Jara" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(message);
  expect(calls("/register")).toEqual([]);
});

test("the page says that payments are simulated", async () => {
  await toCard();

  expect(screen.getByText("Sandbox payments")).toBeVisible();
});

test("the card fee may be covered: everything on the step follows, and Back takes it along", async () => {
  const { user } = await toCard();
  const cover = await screen.findByRole("checkbox", { name: /give \$11 a month/ });
  expect(cover).not.toBeChecked();
  await user.click(cover);
  expect(screen.getByText("$11.00 USD today")).toBeVisible();
  expect(screen.getByText(/agree to a monthly donation of \$11.00/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(await screen.findByLabelText("Amount in US dollars")).toHaveValue("11");
  await user.click(screen.getByRole("button", { name: "Next" }));
  await screen.findByLabelText("Card number");
  expect(screen.getByRole("checkbox", { name: /so that at least \$10 arrives/ })).toBeChecked();
  await pay(user);

  await waitFor(() => expect(calls("/register")[0]?.body).toMatchObject({ contribution: "11" }));
});

test("another amount starts without the fee", async () => {
  const { user } = await toCard();
  await user.click(await screen.findByRole("checkbox", { name: /give \$11 a month/ }));
  await user.click(screen.getByRole("button", { name: "Back" }));
  await user.click(await screen.findByRole("button", { name: "$20" }));
  await user.click(screen.getByRole("button", { name: "Next" }));

  const cover = await screen.findByRole("checkbox", { name: /so that at least \$20 arrives/ });
  expect(cover).not.toBeChecked();
});
