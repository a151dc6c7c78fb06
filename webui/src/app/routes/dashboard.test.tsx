import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { aConfig, aProject, publicAnswers } from "@/testing/builders";
import { aProposal } from "@/testing/proposals";
import { fakeApi, refusal, type FakeApi } from "@/testing/fake-api";
import { aMember, aProfile, aTodo } from "@/testing/member";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";
import { aTrace } from "@/testing/trace";
import { pledgeDollarsMin } from "@/rules.json";

let api: FakeApi;

beforeEach(() => {
  localStorage.setItem("token", "t.o.k");
  api = fakeApi({
    ...publicAnswers(),
    "GET /user/get-profile": aProfile(),
    "GET /user/impact": aTrace(),
    "GET /events": [],
    "GET /regions": [
      { id: "africa", name: "Africa", status: "Active" },
      { id: "diaspora", name: "Diaspora", status: "Partial" },
      { id: "europe", name: "Europe", status: "Not yet" },
    ],
    "POST /user/logout": { success: true, message: "bye" },
  });
});

const sent = (call: string) =>
  api.calls.filter(({ method, path }) => `${method} ${path}` === call).map(({ body }) => body);

async function open(tab = "") {
  const view = renderApp(`/dashboard${tab}`);
  await screen.findByRole("heading", { level: 1 });
  return view;
}

test("the welcome card names the member, the amount and what goes to projects", async () => {
  await open();

  expect(screen.getByRole("heading", { name: "Amara" })).toBeVisible();
  expect(screen.getByText("$10")).toHaveTextContent("$10 / mo");
  expect(
    await screen.findByText(/\$8 of it goes to projects. Next charge: \$10 on 20 December./),
  ).toBeVisible();
  expect(screen.getByText("Our new community platform")).toBeVisible();
  expect(screen.getByRole("link", { name: "Join the chat" })).toHaveAttribute("target", "_blank");
});

test.each([
  ["monthly", "The chat isn't open yet. We'll email you when it is."],
  ["votes", "The chat isn't open yet."],
] as const)("a member who chose %s is promised an email only if it comes", async (choice, text) => {
  api.answer("GET /config", aConfig({ chatUrl: null }));
  api.answer("GET /user/get-profile", aProfile({ emailChoice: choice }));
  await open();

  (await screen.findByRole("button", { name: "Join the chat" })).click();
  expect(await screen.findByText(text)).toBeVisible();
});

test("a member whose emails come back reads it first, and goes on to the address", async () => {
  api.answer("GET /user/get-profile", aProfile({ emailStoppedOn: "2026-11-20" }));
  await open();

  expect(await screen.findByText("Emails to you come back")).toBeVisible();
  expect(
    screen.getByText(/Since 20 November.* our emails to amara@example.org have not arrived/),
  ).toBeVisible();
  screen.getByRole("link", { name: "Correct or confirm your address" }).click();
  expect(await screen.findByText(/Emails to this address come back/)).toBeVisible();
});

test("finances and regions are the server's, each region with its word", async () => {
  await open();

  expect(await screen.findByText("$28,820")).toBeVisible();
  const list = screen.getByRole("region", { name: "Regional scope" });
  expect(await within(list).findByText("Partial")).toBeVisible();
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(["AfricaActive", "DiasporaPartial", "EuropeNot yet"]);
});

test("each decided vote says whether a ballot of theirs was cast", async () => {
  const decided = { status: "rejected", result: "rejected", decidedAt: "2026-11-01T12:00:00Z" } as const;
  api.answer("GET /user/get-proposals", [
    aProposal({ id: "open", title: "Still open" }),
    aProposal({ ...decided, id: "mine", slug: "mine", title: "Mine", userVote: "voted" }),
    aProposal({ ...decided, id: "other", slug: "other", title: "Not mine" }),
    aProposal({ ...decided, id: "old", title: "Before", decidedAt: "2026-10-01T12:00:00Z" }),
  ]);
  await open();

  const list = await screen.findByRole("region", { name: "Votes you could take part in" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual([
    "MineYou cast a ballot. Your receipt says whether it was counted.",
    "Not mineYou cast no ballot. If you did vote, write to us.",
  ]);
});

test("tabs are in the address and move with the arrow keys; Events shows its count", async () => {
  const { user } = await open();
  expect(await screen.findByRole("tab", { name: "Events 0" })).toBeVisible();
  await user.click(screen.getByRole("tab", { name: "Account" }));
  expect(currentAddress()).toBe("/dashboard?tab=account");
  await user.keyboard("{ArrowRight}");
  expect(currentAddress()).toBe("/dashboard?tab=events");
  expect(screen.getByRole("tab", { name: "Events 0" })).toHaveFocus();
  expect(await screen.findByText("No events available at the moment.")).toBeVisible();
  await user.keyboard("{Home}");

  expect(currentAddress()).toBe("/dashboard");
});

test("events are listed when there are some", async () => {
  api.answer("GET /events", [
    { id: "e", title: "Community call", date: "2026-12-05", place: "Online", description: "Talk." },
  ]);
  await open("?tab=events");

  expect(await screen.findByRole("heading", { name: "Community call" })).toBeVisible();
  expect(screen.getByRole("tab", { name: "Events 1" })).toBeVisible();
});

test("an open vote is an event: it counts, and nothing says that there is none", async () => {
  api.answer("GET /user/get-proposals#open", [aProposal()]);
  await open("?tab=events");

  expect(await screen.findByRole("tab", { name: "Events 1" })).toBeVisible();
  expect(screen.getByRole("tabpanel")).toHaveTextContent(aProposal().title);
  expect(screen.queryByText("No events available at the moment.")).toBeNull();
});

test("a vote that ends while it is shown as open leaves the page", async () => {
  const end = new Date(Date.now() + 60_000);
  const timers = vi.spyOn(window, "setTimeout");
  api.answer("GET /user/get-proposals#open", [aProposal({ endDate: end.toISOString() })]);
  await open("?tab=events");
  expect(await screen.findByRole("tab", { name: "Events 1" })).toBeVisible();
  vi.setSystemTime(end);
  act(() => {
    for (const [ring, wait = 0] of timers.mock.calls) if (wait > 30_000 && wait <= 60_000 && typeof ring === "function") ring();
  });
  vi.useRealTimers();

  expect(await screen.findByRole("tab", { name: "Events 0" })).toBeVisible();
  expect(screen.queryByText(/^Open until/)).toBeNull();
});

test("changing the amount shows the server's message and the new amount", async () => {
  api.answer("PUT /user/update-subscription", () => {
    api.answer("GET /user/get-profile", aProfile({ subscriptionAmount: 20 }));
    return { success: true, message: "Your monthly contribution is now $20." };
  });
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Change it" }));
  await user.click(await screen.findByRole("button", { name: "$20" }));
  await user.click(screen.getByRole("button", { name: "Update" }));

  expect(await screen.findByText("Your monthly contribution is now $20.")).toBeVisible();
  expect(await screen.findByText("$20")).toHaveTextContent("/ mo");
  expect(sent("PUT /user/update-subscription")).toEqual([{ subscriptionAmount: 20 }]);
});

test("what is not whole dollars is refused beside the field and not sent", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Change it" }));
  const field = await screen.findByLabelText("New monthly amount");
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.tab();
  expect(field).toHaveValue("0");
  await user.click(screen.getByRole("button", { name: "Update" }));
  expect(await screen.findAllByText(`The minimum pledge is $${pledgeDollarsMin}.`)).toHaveLength(1);
  await user.clear(field);
  await user.type(field, "10.5");
  await user.click(screen.getByRole("button", { name: "Update" }));
  expect(await screen.findByText("Enter a whole amount, without decimals.")).toBeVisible();
  expect(sent("PUT /user/update-subscription")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Cancel" }));

  expect(screen.getByRole("button", { name: "Change it" })).toBeVisible();
});

test("the card fee is covered by the next whole dollar, which can be taken back", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Change it" }));
  const cover = await screen.findByRole("checkbox", { name: /give \$11 a month, so that at least \$10 arrives/ });
  expect(cover).not.toBeChecked();
  await user.click(cover);
  expect(screen.getByLabelText("New monthly amount")).toHaveValue("11");
  await user.click(cover);
  expect(screen.getByLabelText("New monthly amount")).toHaveValue("10");
  await user.click(cover);
  await user.click(screen.getByRole("button", { name: "Update" }));

  await waitFor(() =>
    expect(sent("PUT /user/update-subscription")).toEqual([{ subscriptionAmount: 11 }]),
  );
});

test("the account lists the next charges as the server has them", async () => {
  await open("?tab=account");

  const list = await screen.findByRole("list", { name: "Your next charges" });
  expect(
    within(list)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(["20 December $10.00", "20 January 2027 $10.00", "20 February 2027 $10.00"]);
});

test("a paused pledge promises no charge", async () => {
  const paused = { pledgeStatus: "paused", nextChargeOn: null, nextCharges: [] } as const;
  api.answer("GET /user/get-profile", aProfile(paused));
  await open("?tab=account");
  await screen.findByRole("heading", { name: "Your pledge" });

  expect(screen.queryByText("Your next charges")).toBeNull();
});

test("the server's error about the amount stands beside the field only", async () => {
  api.answer("PUT /user/update-subscription", refusal(422, "Your card allows no more."));
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Change it" }));
  await user.click(await screen.findByRole("button", { name: "$20" }));
  await user.click(screen.getByRole("button", { name: "Update" }));

  expect(await screen.findAllByText("Your card allows no more.")).toHaveLength(1);
  expect(screen.getByLabelText("New monthly amount")).toHaveAccessibleDescription(/allows no more/);
});

test("a member who has paid can vote, whatever billing day they chose since", async () => {
  const profile = { billingDay: "28", mayVoteFrom: "2026-11-21", mayVote: true } as const;
  api.answer("GET /user/get-profile", aProfile(profile));
  await open();

  expect(screen.getByText(/You can vote\./)).toBeVisible();
});

test("the to-do list counts, stores ticks, thanks and folds", async () => {
  api.answer("PUT /user/todo/invite-a-friend", () => {
    const todo = [aTodo({ id: "invite-a-friend", title: "Invite a friend" })];
    api.answer("GET /user/get-profile", aProfile({ todo }));
    return { success: true, message: "Saved", todo };
  });
  const { user } = await open();
  expect(screen.getByText("2/3")).toBeVisible();
  await user.click(screen.getByRole("checkbox", { name: /Invite a friend/ }));
  expect(await screen.findByText("All done. Thank you.")).toBeVisible();
  expect(sent("PUT /user/todo/invite-a-friend")).toEqual([{ completed: true }]);
  await user.click(screen.getByRole("button", { name: "Collapse the to-do list" }));

  expect(screen.queryByRole("checkbox", { name: /Invite a friend/ })).toBeNull();
  expect(screen.getByRole("button", { name: "Expand the to-do list" })).toBeVisible();
});

test("a tick that the server did not store is reverted", async () => {
  api.answer("PUT /user/todo/invite-a-friend", refusal(500, "Not saved."));
  const { user } = await open();
  const box = screen.getByRole("checkbox", { name: /Invite a friend/ });
  await user.click(box);

  expect(await screen.findByText("Not saved.")).toBeVisible();
  expect(box).not.toBeChecked();
});

test("Logout forgets the session and leads home", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Logout" }));

  await waitFor(() => expect(currentAddress()).toBe("/"));
  expect(localStorage.getItem("token")).toBeNull();
  expect(sent("POST /user/logout")).toHaveLength(1);
});

test("without a valid token the page redirects to sign-in", async () => {
  localStorage.removeItem("token");
  const { unmount } = renderApp("/dashboard");
  await waitFor(() => expect(currentAddress()).toBe("/login"));
  unmount();

  localStorage.setItem("token", "old");
  api.answer("GET /user/get-profile", refusal(401, "Please sign in again."));
  renderApp("/dashboard");
  await waitFor(() => expect(currentAddress()).toBe("/login"));
  expect(localStorage.getItem("token")).toBeNull();
  expect(await screen.findByText("Please sign in again.")).toBeVisible();
});

test("a profile that does not load shows an error and a retry, and Logout stays", async () => {
  api.answer("GET /user/get-profile", refusal(503, "The database is busy."));
  const { user } = renderApp("/dashboard");
  expect(await screen.findByText("Your profile did not load.")).toBeVisible();
  expect(await screen.findByText("The database is busy.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Logout" })).toBeEnabled();
  api.answer("GET /user/get-profile", aProfile());
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { name: "Amara" })).toBeVisible();
});

test.each([
  ["incomplete", "Your pledge is not confirmed yet", "Enter my card"],
  ["past_due", "Your last charge did not go through", "Update my card"],
  ["paused", "Your pledge is paused", "Resume my pledge"],
  ["canceled", "You have no pledge right now", "Start my pledge"],
] as const)("a pledge that is %s says what to do", async (pledgeStatus, title, action) => {
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus }));
  await open();

  expect(screen.getByRole("region", { name: title })).toBeVisible();
  expect(screen.getByRole("button", { name: action })).toBeVisible();
  await expectNoBarriers();
});

test("where there is no way to pay, no pledge can be started", async () => {
  api.answer("GET /config", aConfig({ payments: { provider: "none", publishableKey: null }, ways: [] }));
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "canceled" }));
  await open();

  const state = screen.getByRole("region", { name: "You have no pledge right now" });
  expect(await within(state).findByText("There is no way to pay at the moment. Please come back later.")).toBeVisible();
  expect(within(state).queryByRole("button")).toBeNull();
  expect(state).not.toHaveTextContent("You can start again");
});

test.each([
  ["2026-12-03", /You can vote until 3 December\./],
  [null, /You can vote again once a payment goes through\./],
])("after a failed charge, the dashboard says until when the vote lasts", async (day, text) => {
  const retriesOn = ["2026-11-27", "2026-12-04"];
  const failed = { pledgeStatus: "past_due", mayVote: day !== null, mayVoteUntil: day, retriesOn } as const;
  api.answer("GET /user/get-profile", aProfile({ ...failed, mayVoteFrom: null }));
  await open();

  const state = screen.getByRole("region", { name: "Your last charge did not go through" });
  expect(state).toHaveTextContent(text);
  expect(state).toHaveTextContent("We'll try again on 27 November and 4 December.");
});

test.each(["/dashboard", "/dashboard?tab=account", "/sandbox/billing"])("%s names no other charge while one that failed is tried again", async (address) => {
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "past_due", retriesOn: ["2026-11-27"] }));
  api.answer("GET /user/contributions", []);
  renderApp(address);
  await screen.findAllByRole("heading", { name: /^(?:Amara|Account|Your pledge)$/ });
  await act(() => vi.dynamicImportSettled());

  expect(screen.queryByText(/20 December/)).toBeNull();
});

test.each([
  ["account", "Account"],
  ["events", "Community call"],
])("the tab %s does not wait for the votes", async (tab, heading) => {
  api.answer("GET /user/get-proposals#open", () => new Promise<Response>(() => {}));
  api.answer("GET /events", [{ id: "call", title: "Community call", date: "2026-12-01", language: "en" }]);
  renderApp(`/dashboard?tab=${tab}`);

  expect(await screen.findByRole("heading", { name: heading })).toBeVisible();
  expect(screen.getByRole("tab", { name: "Events" })).toBeVisible();
});

test("a vote that is held because we changed the address says so", async () => {
  api.answer("GET /user/get-profile", aProfile({ voteHeldSince: "2026-11-18" }));
  await open();

  expect(screen.getByText(/We changed your email address on 18 November/)).toHaveTextContent(
    "Until your old address agrees, or a second person of ours signs, you can't vote on open proposals.",
  );
});

test("a failed charge is paid at once", async () => {
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "past_due", subscriptionAmount: 25, dueCents: 1000 }));
  api.answer("POST /user/pledge/pay", () => {
    api.answer("GET /user/get-profile", aProfile());
    return { success: true, message: "Your contribution is paid. Thank you!", user: aMember() };
  });
  const { user } = await open();
  const pay = await screen.findByRole("button", { name: "Pay $10 now" });
  await waitFor(() => expect(pay).toBeEnabled());
  await user.dblClick(screen.getByRole("button", { name: "Pay $10 now" }));

  await waitFor(() => expect(screen.queryByText("Your last charge did not go through")).toBeNull());
  expect(sent("POST /user/pledge/pay")).toHaveLength(1);
});

test.each([
  ["2027-02-04", "You keep your vote."],
  ["2026-12-30", "You can vote until 30 December."],
])("a skipped month keeps the vote until it ends: %s", async (day, text) => {
  const [, ...nextCharges] = aMember().nextCharges;
  const skipped = { skipsOn: "2026-12-20", nextChargeOn: "2027-01-20", nextCharges };
  api.answer("GET /user/get-profile", aProfile({ ...skipped, mayVoteUntil: day }));
  await open();

  const state = screen.getByRole("region", { name: /will be skipped/ });
  expect(state).toHaveTextContent(`Your next charge is on 20 January 2027. ${text}`);
});

test("a paused pledge is resumed", async () => {
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "paused" }));
  api.answer("PUT /user/pledge", () => {
    api.answer("GET /user/get-profile", aProfile());
    return { success: true, message: "Your pledge is changed.", user: aMember() };
  });
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Resume my pledge" }));

  await waitFor(() => expect(screen.queryByText("Your pledge is paused")).toBeNull());
  expect(sent("PUT /user/pledge")).toEqual([{ paused: false }]);
});

async function typeCard(user: Awaited<ReturnType<typeof open>>["user"], number: string) {
  await user.type(await screen.findByLabelText("Card number"), number);
  await user.type(screen.getByLabelText("Expiry"), "0499");
  await user.type(screen.getByLabelText("CVC"), "123");
  await user.click(screen.getByRole("button", { name: "Start my pledge" }));
}

test("an ended pledge is restarted with an amount, a day and a card", async () => {
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "canceled", nextChargeOn: null }));
  api.answer("PUT /user/pledge", () => {
    api.answer("GET /user/get-profile", aProfile());
    return { success: true, message: "Your pledge is active.", user: aMember() };
  });
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Start my pledge" }));
  await user.click(await screen.findByRole("button", { name: "$20" }));
  await user.click(screen.getByRole("radio", { name: /28th/ }));
  await typeCard(user, "4242424242424242");

  expect(await screen.findByText("Your pledge is active. Thank you.")).toBeVisible();
  expect(sent("PUT /user/pledge")).toEqual([
    { paymentMethodId: "pm_card_visa", subscriptionAmount: 20, billingDay: "28" },
  ]);
});

test("the first line says what was given, the last step, the next charge and the open vote", async () => {
  api.answer("GET /projects", [aProject({ account: "expenses:projects:clean-water-boreholes", lastStepOn: "2026-09-19" })]);
  api.answer("GET /user/get-proposals#open", [aProposal()]);
  renderApp("/dashboard");

  const line = (await screen.findByText(/^You have given \$35/)).closest("p");
  expect(line).toHaveTextContent(
    "You have given $35 so far. The last step done with it: Clean water boreholes, 19 September. Next charge: 20 December. A vote is open.",
  );
});

test("what was given is not asked for before the first payment", async () => {
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "incomplete" }));
  await open();
  await act(() => vi.dynamicImportSettled()); // the line itself comes late
  expect(sent("GET /user/impact")).toEqual([]);
});

test("a declined card shows a focused error box", async () => {
  api.answer("GET /user/get-profile", aProfile({ pledgeStatus: "incomplete" }));
  api.answer("PUT /user/pledge", refusal(402, "Your card was declined."));
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Enter my card" }));
  await typeCard(user, "4000000000000002");

  const box = await screen.findByRole("alert");
  expect(box).toHaveTextContent("Your card was declined.");
  expect(box).toHaveFocus();
});

test("a skipped month is shown and can be undone", async () => {
  api.answer(
    "GET /user/get-profile",
    aProfile({ skipsOn: "2026-12-20", nextChargeOn: "2027-01-20" }),
  );
  api.answer("PUT /user/pledge", { success: true, message: "Your pledge is changed." });
  const { user } = await open();
  expect(screen.getByText("Your charge on 20 December will be skipped")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Don't skip it" }));

  await waitFor(() => expect(sent("PUT /user/pledge")).toEqual([{ skipNext: false }]));
});

test.each(["", "?tab=account", "?tab=events"])("the tab %s keeps nobody out", async (tab) => {
  await open(tab);
  await waitFor(() => expect(screen.queryByText("Loading")).toBeNull());
  await expectNoBarriers();
});
