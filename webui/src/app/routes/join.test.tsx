import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { aConfig } from "@/testing/builders";
import { refusal, withStatus, type FakeApi } from "@/testing/fake-api";
import { amount, introduce, joinAnswers, next, toAmount } from "@/testing/join-wizard";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";
import { endSession } from "@/lib/session/token-storage";
import { formatDollars } from "@/lib/text/format";
import { pledgeDollarsMin, quickDollars } from "@/rules.json";

let api: FakeApi;

beforeEach(() => {
  sessionStorage.clear();
  api = joinAnswers();
});

const calls = (path: string) => api.calls.filter((call) => call.path === path);

test("Next waits for every field, and says what is missing", async () => {
  const { user } = renderApp("/join");
  expect(await screen.findByText("Enter your first name to continue.")).toBeVisible();
  expect(next()).toBeDisabled();
  await introduce(user);
  expect(next()).toBeEnabled();
  await user.click(screen.getByRole("checkbox", { name: /privacy policy/ }));

  expect(next()).toBeDisabled();
  expect(screen.getByText("Agree to the privacy policy to continue.")).toBeVisible();
});

test("the next square is the person's own, and the newsletter is not ticked", async () => {
  renderApp("/join");

  expect(await screen.findByText("The 65th square is yours.")).toBeVisible();
  expect(screen.getByRole("checkbox", { name: /Notify me/ })).not.toBeChecked();
});

test("who gave once, and never chose a password, is not asked to type it again", async () => {
  const given = { firstname: "Kofi", email: "kofi@example.org", contribution: "5" };
  sessionStorage.setItem("jara-join", JSON.stringify(given));
  renderApp("/join");

  expect(await screen.findByDisplayValue("kofi@example.org")).toBeVisible();
  expect(await screen.findByText(/^Use \d+ or more characters/)).toBeVisible();
});

test("what is half typed stays when a session ends in another tab", async () => {
  const { user } = renderApp("/join");
  await introduce(user);
  act(endSession);

  expect(screen.getByLabelText("Email")).toHaveValue("amara@example.org");
  expect(screen.getByLabelText("Password")).toHaveValue("kente river");
  expect(next()).toBeEnabled();
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

test("a taken email is said once: the notice says it, the field what to do", async () => {
  const taken = { success: false, code: "email_taken", message: "This email has an account." };
  api.answer("POST /email-exists", withStatus(409, taken));
  const { user } = renderApp("/join");
  await introduce(user);
  await user.click(next());

  expect(await screen.findAllByText("This email has an account.")).toHaveLength(1);
  const email = screen.getByLabelText("Email");
  expect(email).toBeInvalid();
  expect(email).toHaveAccessibleDescription("Type another email, or sign in with this one.");
});

test("the split of step 2 is in cents and adds up", async () => {
  const { user } = await toAmount();
  await user.clear(amount());
  await user.type(amount(), "11");

  const panel = screen.getByRole("heading", { name: "What $11 a month does" }).parentElement;
  const rows = within(panel ?? document.body).getAllByRole("listitem");
  expect(rows.map((row) => row.textContent)).toEqual([
    "Projects$8.80",
    "Staff$0.77",
    "Marketing$0.99",
    "Other costs$0.44",
    "Over a year$132.00",
  ]);
});

test.each([
  [0, /^The card fee comes out of the other \$2\.00; the \$8\.00 for projects stays whole\./],
  [80, /^The card fee lowers the \$8\.00 for projects\./],
])("where projects pay %d of the fees, step 2 says what is left for them", async (projects, text) => {
  const { fundPolicy } = aConfig();
  api.answer("GET /config", aConfig({ fundPolicy: { ...fundPolicy, feeWeights: { ...fundPolicy.feeWeights, projects } } }));
  await toAmount();

  expect(screen.getByText(text)).toBeVisible();
});

test.each([
  [`${pledgeDollarsMin - 1}`, `The minimum pledge is $${pledgeDollarsMin}.`],
  ["1000", "The most you can pledge here is $999 a month."],
  ["7.5", "Enter a whole amount, without decimals."],
])("an amount of %s is refused below the field", async (typed, message) => {
  const { user } = await toAmount();
  await user.clear(amount());
  await user.type(amount(), typed);
  await user.click(next());

  expect(screen.getByText(message)).toBeVisible();
  expect(amount()).toBeInvalid();
  expect(screen.queryByLabelText("Card number")).toBeNull();
});

test("the quick amounts are those of the rules, and an empty amount cannot go on", async () => {
  const { user } = await toAmount();
  const picks = within(screen.getByRole("group", { name: "Quick amounts" })).getAllByRole("button");
  expect(picks.map((pick) => pick.textContent)).toEqual(quickDollars.map(formatDollars));
  await user.clear(amount());

  expect(next()).toBeDisabled();
});

test("a later payment day names the first charge and the day of the vote", async () => {
  const { user } = await toAmount();
  expect(screen.getByRole("radio", { name: /Today/ })).toBeChecked();
  await user.click(screen.getByRole("radio", { name: /28th/ }));
  expect(
    screen.getByText("Your first charge is on 28 November. You can vote from that day."),
  ).toBeVisible();
  await user.click(next());

  expect(await screen.findByText(/on the 28th of each month, next on 28 December/)).toBeVisible();
  await waitFor(() =>
    expect(screen.getAllByText("$10.00 USD on 28 November")).toHaveLength(2),
  );
  expect(screen.getByText(/Nothing is charged today/)).toBeVisible();
});

test("Back and reload keep everything but the password", async () => {
  const { user, unmount } = await toAmount();
  await user.clear(amount());
  await user.type(amount(), "25");
  await user.click(next());
  await user.click(await screen.findByRole("button", { name: "Back" }));
  expect(amount()).toHaveValue("25");
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(screen.getByLabelText("Password")).toHaveValue("kente river");

  unmount();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain("kente river");
  renderApp("/join?step=3");
  expect(await screen.findByLabelText("Email")).toHaveValue("amara@example.org");
  expect(screen.getByLabelText("Password")).toHaveValue("");
  expect(screen.getByText(/We don't store your password/)).toBeVisible();
  expect(screen.getByLabelText("Country")).toHaveValue("Canada");
});

test("a signed-in member is redirected to the dashboard", async () => {
  localStorage.setItem("token", "t.o.k");
  renderApp("/join");

  await waitFor(() => expect(currentAddress()).toBe("/dashboard"));
});

test("no step has accessibility violations", async () => {
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
