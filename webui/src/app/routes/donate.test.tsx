import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aConfig, publicAnswers } from "@/testing/builders";
import { fakeApi, refusal, withStatus, type FakeApi } from "@/testing/fake-api";
import { aPayment } from "@/testing/member";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";

let api: FakeApi;

beforeEach(() => {
  sessionStorage.clear();
  api = fakeApi({
    ...publicAnswers(),
    "POST /gifts": withStatus(201, { success: true, message: "Thank you!", amountCents: 2500 }),
  });
});

const gifts = () => api.calls.filter(({ path }) => path === "/gifts");
const donate = () => screen.getByRole("button", { name: /Donate/ });

async function open(number = "4242424242424242") {
  const { user, unmount } = renderApp("/donate");
  await user.type(await screen.findByLabelText("Card number"), number);
  await user.type(screen.getByLabelText("Expiry"), "0499");
  await user.type(screen.getByLabelText("CVC"), "123");
  const email = screen.getByLabelText("Email");
  await user.type(email, "giver@example.org");
  return { user, unmount, amount: screen.getByLabelText("Amount in US dollars"), email };
}

test("a gift is given in cents, and thanked for with its amount", async () => {
  const { user, amount } = await open();
  await user.clear(amount);
  await user.type(amount, "$1,200.5");
  await user.click(donate());

  await waitFor(() => expect(currentAddress()).toBe("/payment-success?amount=1200.50"));
  expect(gifts()[0]?.body).toEqual({
    amountCents: 120_050,
    email: "giver@example.org",
    name: "",
    language: "en",
    paymentMethodId: "pm_card_visa",
  });
  expect(gifts()[0]?.headers["Idempotency-Key"]).toMatch(/^[0-9a-f]{32}$/);
  expect(await screen.findByText(/Your gift is in the open books/)).toBeVisible();
});

test("a gift that is booked names its entry", async () => {
  api.answer("POST /gifts", withStatus(201, { success: true, message: "", entry: "e6f2a91c" }));
  const { user } = await open();
  await user.click(donate());

  const books = await screen.findByText(/in the open books/);
  expect(books.querySelector("a")).toHaveAttribute("href", "/ledger/entries/e6f2a91c");
  await expectNoBarriers();
});

test("the card fee comes out of what is not for projects", async () => {
  await open();
  expect(screen.getByText(/^\$20 to projects, .* to other costs\. The card fee comes out of the other \$5; projects keep their \$20\.$/)).toBeVisible();
});

test("where projects pay fees too, the page says that they get less", async () => {
  const { fundPolicy } = aConfig();
  const feeWeights = { ...fundPolicy.feeWeights, projects: 80 };
  api.answer("GET /config", aConfig({ fundPolicy: { ...fundPolicy, feeWeights } }));
  await open();
  expect(screen.getByText(/^\$20 to projects, .* to other costs\. The card fee lowers the \$20 for projects\.$/)).toBeVisible();
});

test("a giver may add the card fee, so that the whole gift arrives", async () => {
  const { user } = await open();
  const cover = await screen.findByRole("checkbox", { name: /Add \$1.06 for the card fee/ });
  expect(cover).not.toBeChecked();
  await user.click(cover);
  expect(screen.getByText(/\$25 \+ \$1.06 card fee/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Donate $26.06" }));

  await waitFor(() => expect(currentAddress()).toBe("/payment-success?amount=26.06"));
  expect(gifts()[0]?.body).toMatchObject({ amountCents: 2606 });
});

test.each([
  ["", /Enter an amount from \$1 to \$999,999\./],
  ["0.5", /Enter an amount from \$1 to \$999,999\./],
  ["-5", /Enter an amount from \$1 to \$999,999\./],
  ["ten", "“ten” is not a number. Write digits."],
  ["1.2345", "“1.2345” has too many decimals. Write at most 2."],
  ["12.505", "“12.505” can mean 12,505 or 12.505. If you mean the first, write 12505."],
])(
  "an amount of '%s' is refused below the field, which names the fault",
  async (typed, fault) => {
    const { user, amount } = await open();
    await user.clear(amount);
    if (typed !== "") await user.type(amount, typed);
    await user.click(donate());

    expect(screen.getByText(fault)).toBeVisible();
    await waitFor(() => expect(amount).toHaveFocus());
    expect(amount).toHaveAccessibleDescription(expect.stringMatching(fault));
    expect(gifts()).toEqual([]);
  },
);

test("the receipt needs an email", async () => {
  const { user, email } = await open();
  await user.clear(email);
  await user.click(donate());

  expect(screen.getByText(/so that we can send your receipt/)).toBeVisible();
  expect(gifts()).toEqual([]);
});

test("a declined card shows an error box and keeps the form", async () => {
  api.answer("POST /gifts", refusal(402, "Your card has expired."));
  const { user } = await open("4000000000000069");
  await user.click(donate());

  expect(await screen.findByRole("alert")).toHaveTextContent("Your card has expired.");
  expect(screen.getByLabelText("Email")).toHaveValue("giver@example.org");
  expect(screen.getByLabelText("Card number")).toHaveValue("4000 0000 0000 0069");
});

test("without an answer the same gift is retried with the same key, and the form is locked", async () => {
  api.answer("POST /gifts", () => {
    throw new TypeError("network");
  });
  const { user, amount, email } = await open();
  await user.click(donate());
  expect(await screen.findByRole("alert")).toHaveTextContent("We got no answer.");
  expect(amount).toBeDisabled();
  expect(email).toHaveValue("giver@example.org");
  api.answer("POST /gifts", withStatus(201, { success: true, message: "Thank you!" }));
  await user.click(donate());

  await waitFor(() => expect(currentAddress()).toBe("/payment-success?amount=25"));
  expect(gifts()[1]?.body).toEqual(gifts()[0]?.body);
  expect(gifts()[1]?.headers["Idempotency-Key"]).toBe(gifts()[0]?.headers["Idempotency-Key"]);
});

test("a gift without an answer survives a reload and is retried once with the same key", async () => {
  api.answer("POST /gifts", () => {
    throw new TypeError("network");
  });
  const { user, amount, unmount } = await open();
  await user.clear(amount);
  await user.type(amount, "12.50");
  await user.click(donate());
  await screen.findByText("We got no answer.");
  unmount();
  expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/4242 ?4242/);

  api.answer("POST /gifts", withStatus(201, { success: true, message: "Thank you!" }));
  const again = renderApp("/donate");
  expect(await screen.findByText("We got no answer.")).toBeVisible();
  expect(screen.getByLabelText("Amount in US dollars")).toHaveValue("12.50");
  expect(screen.getByLabelText("Email")).toHaveValue("giver@example.org");
  expect(screen.getByLabelText("Email")).toBeDisabled();
  await screen.findByLabelText("Card number");
  await again.user.click(donate());
  await waitFor(() => expect(currentAddress()).toBe("/payment-success?amount=12.50"));
  expect(gifts()[1]?.body).toEqual(gifts()[0]?.body);
  expect(gifts()[1]?.headers["Idempotency-Key"]).toBe(gifts()[0]?.headers["Idempotency-Key"]);
  expect(Object.keys({ ...sessionStorage })).toEqual(["page-before-login"]);
});

test("an answer ends the request: a reload after a decline starts again, with what was typed", async () => {
  api.answer("POST /gifts", refusal(402, "Your card was declined."));
  const { user, unmount } = await open();
  await user.click(donate());
  await screen.findByText("Your card was declined.");
  unmount();
  renderApp("/donate");

  expect(await screen.findByLabelText("Card number")).toHaveValue("");
  expect(screen.getByLabelText("Email")).toHaveValue("giver@example.org");
  expect(screen.queryByText("We got no answer.")).toBeNull();
});

test("a bank that refuses leaves the form as it was", async () => {
  api.answer("POST /gifts", withStatus(202, { requiresAction: true, clientSecret: "cs_2" }));
  api.answer("POST /sandbox/confirm", { success: true, message: "Refused." });
  const { user } = await open("4000002760003184");
  await user.click(donate());
  await user.click(await screen.findByRole("button", { name: "Decline" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(/unable to authenticate/);
  expect(currentAddress()).toBe("/donate");
});

test("a failed bank confirmation can be retried", async () => {
  api.answer("POST /gifts", withStatus(202, { requiresAction: true, clientSecret: "cs_2" }));
  api.answer("POST /sandbox/confirm", refusal(503, "Busy, try again."));
  const { user } = await open("4000002760003184");
  await user.click(donate());
  await user.click(await screen.findByRole("button", { name: "Confirm the payment" }));
  expect(await screen.findByText("Busy, try again.")).toBeVisible();
  api.answer("POST /sandbox/confirm", { success: true, message: "Confirmed." });
  await user.click(screen.getByRole("button", { name: "Confirm the payment" }));

  await waitFor(() => expect(currentAddress()).toBe("/payment-success?amount=25"));
});

test("where cards are taken, a gift is paid in another way too, without a card fee", async () => {
  api.answer("GET /config", aConfig({ ways: ["transfer", "cash"] }));
  api.answer("POST /gifts/promise", withStatus(201, { ...aPayment({ way: "cash" }), amountCents: 2500 }));
  const { user } = await open();
  await user.click(await screen.findByRole("checkbox", { name: /for the card fee/ }));
  expect(await screen.findByRole("radio", { name: /Card/ })).toBeChecked();
  await user.click(screen.getByRole("radio", { name: /Cash/ }));
  expect(screen.queryByLabelText("Card number")).toBeNull();
  await expectNoBarriers();
  await user.click(await screen.findByRole("button", { name: "Show me how to pay" }));

  expect(await screen.findByRole("heading", { name: "Your gift is on its way" })).toHaveFocus();
  const asked = api.calls.find(({ path }) => path === "/gifts/promise");
  expect(asked?.body).toMatchObject({ amountCents: 2500, way: "cash" });
});

test("the page is accessible and says that payments are simulated", async () => {
  await open();

  expect(screen.getByText("Sandbox payments")).toBeVisible();
  await expectNoBarriers();
});
