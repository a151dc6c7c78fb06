import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aConfig, publicAnswers } from "@/testing/builders";
import { fakeApi, refusal, withStatus, type FakeApi } from "@/testing/fake-api";
import { aProfile } from "@/testing/member";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";

let api: FakeApi;

const JOINED = { success: true, token: "t.o.k", message: "Payment successful" };
const ASKS = { ...JOINED, requiresAction: true, intentType: "payment", clientSecret: "cs_1" };

beforeEach(() => {
  sessionStorage.clear();
  api = fakeApi({
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
});

afterEach(() => vi.useRealTimers());

const calls = (path: string) => api.calls.filter((call) => call.path === path);
const next = () => screen.getByRole("button", { name: "Next" });
const amount = () => screen.getByLabelText("Amount in US dollars");

type User = ReturnType<typeof renderApp>["user"];

async function fill(user: User, label: string, text: string) {
  await user.clear(screen.getByLabelText(label));
  await user.click(screen.getByLabelText(label));
  await user.paste(text);
}

async function introduce(user: User) {
  await screen.findByRole("option", { name: "Canada" });
  await fill(user, "First name", "Amara");
  await fill(user, "Last name", "Joseph");
  await fill(user, "Email", "amara@example.org");
  await fill(user, "Password", "kente river");
  await user.selectOptions(screen.getByLabelText("Country"), "Canada");
  await user.click(screen.getByRole("checkbox", { name: /privacy policy/ }));
}

async function toAmount() {
  const { user, ...view } = renderApp("/join");
  await introduce(user);
  await user.click(next());
  await screen.findByRole("heading", { name: "Monthly contribution" });
  return { user, ...view };
}

async function toCard() {
  const { user, ...view } = await toAmount();
  await user.click(next());
  await screen.findByLabelText("Card number");
  return { user, ...view };
}

async function pay(user: User, number = "4242424242424242") {
  await fill(user, "Card number", number);
  await fill(user, "Expiry", "0499");
  await fill(user, "CVC", "123");
  await user.click(screen.getByRole("button", { name: "Join Jara" }));
}

test("Next waits for every field, and says what is missing", async () => {
  const { user } = renderApp("/join");
  expect(await screen.findByText("Type your first name to continue.")).toBeVisible();
  expect(next()).toBeDisabled();
  await introduce(user);
  expect(next()).toBeEnabled();
  await user.click(screen.getByRole("checkbox", { name: /privacy policy/ }));

  expect(next()).toBeDisabled();
  expect(screen.getByText("Tick the privacy policy to continue.")).toBeVisible();
});

test("the square that waits is the next after the changemakers, and news are not ticked", async () => {
  renderApp("/join");

  expect(await screen.findByText("The 65th square is yours.")).toBeVisible();
  expect(screen.getByRole("checkbox", { name: /Notify me/ })).not.toBeChecked();
});

test("the email is checked before step 2; a refusal is a notice and loses nothing", async () => {
  api.answer("POST /email-exists", refusal(409, "This email has an account.", { email: "Taken." }));
  const { user } = renderApp("/join");
  await introduce(user);
  await user.click(next());

  expect(await screen.findByText("This email has an account.")).toBeVisible();
  expect(screen.getByText("Taken.")).toBeVisible();
  expect(screen.getByLabelText("Password")).toHaveValue("kente river");
  expect(calls("/email-exists")[0]?.body).toEqual({
    email: "amara@example.org",
    password: "kente river",
  });
});

test("the split of step 2 is in cents and adds up", async () => {
  const { user } = await toAmount();
  await user.clear(amount());
  await user.type(amount(), "7");

  const panel = screen.getByRole("heading", { name: "What $7 a month does" }).parentElement;
  const rows = within(panel ?? document.body).getAllByRole("listitem");
  expect(rows.map((row) => row.textContent)).toEqual([
    "Projects$5.60",
    "Staff$0.49",
    "Marketing$0.63",
    "Other costs$0.28",
    "Over a year$84.00",
  ]);
});

test.each([
  ["4", "The minimum pledge is $5."],
  ["1000", "The most you can pledge here is $999 a month."],
  ["7.5", "Pledge whole dollars, without cents."],
])("an amount of %s is refused below the field", async (typed, message) => {
  const { user } = await toAmount();
  await user.clear(amount());
  await user.type(amount(), typed);
  await user.click(next());

  expect(screen.getByText(message)).toBeVisible();
  expect(amount()).toBeInvalid();
  expect(screen.queryByLabelText("Card number")).toBeNull();
});

test("the limits are the server's, and an empty amount cannot go on", async () => {
  const config = aConfig();
  api.answer("GET /config", { ...config, limits: { ...config.limits, pledgeDollarsMin: 8 } });
  const { user } = await toAmount();
  await user.click(screen.getByRole("button", { name: "$5" }));
  expect(await screen.findByText("The minimum pledge is $8.")).toBeVisible();
  await user.clear(amount());

  expect(next()).toBeDisabled();
});

test("a later payment day names the first charge and the day of the vote", async () => {
  const { user } = await toAmount();
  expect(screen.getByRole("radio", { name: /Today/ })).toBeChecked();
  await user.click(screen.getByRole("radio", { name: /28th/ }));
  expect(
    screen.getByText("Your first charge is on 28 November. You may vote from that day on."),
  ).toBeVisible();
  await user.click(next());

  expect(await screen.findByText(/on the 28th of each month, next on 28 December/)).toBeVisible();
  await waitFor(() =>
    expect(screen.getAllByText("$10.00 USD on 28 November")).toHaveLength(2),
  );
  expect(screen.getByText(/Nothing is charged today/)).toBeVisible();
});

test("an email that was taken meanwhile is told above the button, and at its field on the way back", async () => {
  const taken = { code: "email_taken", message: "This email has an account.", error: "." };
  api.answer("POST /register", withStatus(409, taken));
  const { user } = await toCard();
  await pay(user);
  expect(await screen.findByRole("alert")).toHaveTextContent("This email has an account.");
  await user.click(screen.getByRole("button", { name: "Back" }));
  await user.click(screen.getByRole("button", { name: "Back" }));

  const email = screen.getByLabelText("Email");
  expect(email).toHaveAccessibleDescription("This email has an account.");
  expect(email).toBeInvalid();
  await user.type(email, ".sn");
  expect(email).toBeValid();
});

test("going back and loading the page again lose nothing but the password", async () => {
  const { user, unmount } = await toAmount();
  await user.clear(amount());
  await user.type(amount(), "25");
  await user.click(next());
  await user.click(await screen.findByRole("button", { name: "Back" }));
  expect(amount()).toHaveValue(25);
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(screen.getByLabelText("Password")).toHaveValue("kente river");

  unmount();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("kente river");
  renderApp("/join?step=3");
  expect(await screen.findByLabelText("Email")).toHaveValue("amara@example.org");
  expect(screen.getByLabelText("Password")).toHaveValue("");
  expect(screen.getByText(/We never store your password/)).toBeVisible();
  expect(screen.getByLabelText("Country")).toHaveValue("Canada");
});

test("the card joins: token, notice, and the dashboard after three seconds", async () => {
  const { user } = await toCard();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await pay(user);
  expect(await screen.findByRole("button", { name: "Payment successful" })).toBeVisible();
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
    paymentMethodId: "pm_card_visa",
  });
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("amara");
});

test("a declined card is a red box with the focus; the next try has a new key", async () => {
  api.answer("POST /register", refusal(402, "Your card was declined."));
  const { user } = await toCard();
  await pay(user, "4000000000000002");
  const box = await screen.findByRole("alert");
  expect(box).toHaveTextContent("Your card was declined.");
  expect(box).toHaveFocus();
  expect(screen.getByLabelText("Expiry")).toHaveValue("04 / 99");

  api.answer("POST /register", withStatus(201, JOINED));
  await pay(user);
  await screen.findByRole("button", { name: "Payment successful" });
  const [first, second] = calls("/register");
  expect(first?.body).toMatchObject({ paymentMethodId: "pm_card_chargeDeclined" });
  expect(second?.body).toMatchObject({ paymentMethodId: "pm_card_visa" });
  expect(second?.headers["Idempotency-Key"]).not.toBe(first?.headers["Idempotency-Key"]);
});

test("without an answer the same body goes again under the same key, and nothing can be changed", async () => {
  api.answer("POST /register", () => {
    throw new TypeError("network");
  });
  const { user } = await toCard();
  await pay(user);
  expect(await screen.findByRole("alert")).toHaveTextContent("No answer came.");
  expect(screen.getByLabelText("Card number")).toBeDisabled();
  expect(screen.queryByRole("button", { name: "Back" })).toBeNull();

  api.answer("POST /register", withStatus(201, JOINED));
  await user.click(screen.getByRole("button", { name: "Join Jara" }));
  await screen.findByRole("button", { name: "Payment successful" });
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

  expect(await screen.findByRole("button", { name: "Payment successful" })).toBeVisible();
});

test("a bank that asks is asked, and the server is polled until the pledge runs", async () => {
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

  expect(await screen.findByRole("button", { name: "Payment successful" })).toBeVisible();
  expect(calls("/sandbox/confirm")[0]?.body).toEqual({ clientSecret: "cs_1", outcome: "succeed" });
  expect(asked).toBe(3);
});

test("a payment that is still on its way after fifteen seconds is said to be", async () => {
  api.answer("POST /register", withStatus(202, ASKS));
  api.answer("POST /sandbox/confirm", { success: true });
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "incomplete" }));
  const { user } = await toCard();
  await pay(user, "4000002760003184");
  const confirm = await screen.findByRole("button", { name: "Confirm the payment" });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await user.click(confirm);
  await vi.advanceTimersByTimeAsync(15_000);

  expect(await screen.findByText(/still on its way to us/)).toBeVisible();
});

test("a refused confirmation keeps the wizard, forgets the token and registers again", async () => {
  api.answer("POST /register", withStatus(202, ASKS));
  api.answer("POST /sandbox/confirm", { success: true });
  const { user } = await toCard();
  await pay(user, "4000002760003184");
  await user.click(await screen.findByRole("button", { name: "Refuse" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(/unable to authenticate/);
  expect(localStorage.getItem("token")).toBeNull();

  api.answer("POST /register", withStatus(201, JOINED));
  await pay(user);
  expect(await screen.findByRole("button", { name: "Payment successful" })).toBeVisible();
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

test("the page says that payments are played", async () => {
  await toCard();

  expect(screen.getByText("Sandbox payments")).toBeVisible();
});

test("a member who opens the page is led to the dashboard", async () => {
  localStorage.setItem("token", "t.o.k");
  renderApp("/join");

  await waitFor(() => expect(currentAddress()).toBe("/dashboard"));
});

test("no step keeps anybody out", async () => {
  const { user } = renderApp("/join");
  await screen.findByRole("option", { name: "Haiti" });
  await expectNoBarriers();
  await introduce(user);
  await user.click(next());
  await screen.findByRole("heading", { name: "Monthly contribution" });
  await expectNoBarriers();
  await user.click(next());
  await screen.findByLabelText("Card number");
  await expectNoBarriers();
});
