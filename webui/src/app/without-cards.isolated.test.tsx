import { readFileSync } from "node:fs";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { aConfig } from "@/testing/builders";
import { fakeApi, withStatus, type FakeApi } from "@/testing/fake-api";
import { joinAnswers, next, toAmount } from "@/testing/join-wizard";
import { aMemberBudget } from "@/testing/ledger";
import { aPayment, aProfile } from "@/testing/member";
import { expectNoBarriers, renderApp } from "@/testing/render-app";
import { SITE_ANSWERS } from "@/testing/site-answers";

const CONFIG = aConfig({
  payments: { provider: "none", publishableKey: null },
  ways: ["transfer", "cash"],
});
const ANSWERS = {
  ...SITE_ANSWERS,
  "GET /config": CONFIG,
  "GET /user/get-profile": aProfile({ way: "transfer", nextCharges: [] }),
  "GET /user/payment": aPayment(),
  "GET /ledger/budget": aMemberBudget(),
};

const { cards } = JSON.parse(readFileSync("../tests/absent.json", "utf8")) as { readonly cards: { readonly en: string } };
const CARDS = new RegExp(cards.en, "i");

let api: FakeApi;

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal("PublicKeyCredential", Object);
});

test.each(["Stop my pledge", "Close account"])("the dialog of “%s” speaks of the standing order", async (name) => {
  localStorage.setItem("token", "a.b.c");
  fakeApi(ANSWERS);
  const { user } = renderApp("/dashboard?tab=account");
  await user.click(await screen.findByRole("button", { name }));

  expect(await screen.findByText(/contribution stops today\. If you have a standing order, stop it/)).toBeVisible();
  await saysNothingOfCards();
});

test("a member without a pledge starts one in a way that is offered", async () => {
  localStorage.setItem("token", "a.b.c");
  api = fakeApi({ ...ANSWERS, "PUT /user/pledge": { success: true, message: "Changed." } });
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "canceled", nextCharges: [] }));
  const { user } = renderApp("/dashboard");
  await user.click(await screen.findByRole("button", { name: "Start my pledge" }));
  await user.click(await screen.findByRole("radio", { name: /Cash/ }));
  await saysNothingOfCards();
  await user.click(screen.getByRole("button", { name: "Update" }));

  await waitFor(() =>
    expect(api.calls.find(({ path, method }) => path === "/user/pledge" && method === "PUT")?.body).toEqual({
      way: "cash",
      subscriptionAmount: 10,
    }),
  );
});

test("joining ends with the ways to pay, and asks for no day", async () => {
  api = joinAnswers();
  api.answer("GET /config", CONFIG);
  const { user } = await toAmount();
  expect(screen.queryByText("Preferred payment day")).toBeNull();
  await saysNothingOfCards();
  await user.click(next());

  expect(await screen.findByRole("radio", { name: /Bank transfer/ })).toBeChecked();
  expect(await screen.findByRole("button", { name: "Join and see how to pay" })).toBeVisible();
  await saysNothingOfCards();
});

test("one way needs no choice, and without any nobody is asked to pay", async () => {
  api = joinAnswers();
  api.answer("GET /config", aConfig({ ...CONFIG, ways: ["cash"] }));
  const { user, unmount } = await toAmount();
  await user.click(next());
  await screen.findByRole("button", { name: "Join and see how to pay" });
  expect(screen.queryByRole("radio")).toBeNull();
  unmount();

  sessionStorage.clear();
  api = joinAnswers();
  api.answer("GET /config", aConfig({ ...CONFIG, ways: [] }));
  renderApp("/join");
  expect(await screen.findByRole("heading", { name: "Nobody can join at the moment" })).toBeVisible();
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.queryByText(/square is yours/)).toBeNull();
  cleanup();

  renderApp("/donate");
  expect(await screen.findByText("There is no way to pay at the moment. Please come back later.")).toBeVisible();
  expect(screen.getByRole("main").querySelectorAll("input, button, a")).toHaveLength(0);
});

test("a gift is announced, and the page says how to pay it", async () => {
  api = fakeApi({
    ...ANSWERS,
    "POST /gifts/promise": withStatus(201, { ...aPayment({ way: "cash", code: null }), amountCents: 2500, message: "" }),
  });
  const { user } = renderApp("/donate");
  await user.click(await screen.findByRole("radio", { name: /Cash/ }));
  await user.click(screen.getByRole("button", { name: "Show me how to pay" }));
  expect(await screen.findByText(/Enter your email/)).toBeVisible();
  await user.type(screen.getByLabelText("Email"), "giver@example.org");
  await user.click(screen.getByRole("button", { name: "Show me how to pay" }));

  const heading = await screen.findByRole("heading", { name: "Your gift is on its way" });
  expect(heading).toHaveFocus();
  expect(screen.getByText("J7K3-QXW2")).toBeVisible();
  expect(screen.getByText(/We sent this to giver@example.org/)).toBeVisible();
  expect(api.calls.find(({ path }) => path === "/gifts/promise")?.body).toEqual({
    amountCents: 2500,
    email: "giver@example.org",
    name: "",
    language: "en",
    way: "cash",
  });
  await saysNothingOfCards();
  await expectNoBarriers();
});

async function saysNothingOfCards() {
  await waitFor(() => expect(document.querySelector("h1")).not.toBeNull());
  await waitFor(() => expect(screen.queryByText("Loading")).toBeNull());
  const said = [document.title, document.body.textContent ?? ""].join(" ");
  expect(CARDS.exec(said)?.[0] ?? null, said.slice(Math.max(0, said.search(CARDS) - 60), said.search(CARDS) + 60)).toBeNull();
}
