import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { refusal, withStatus, type FakeRequest } from "@/testing/fake-api";
import { aProposal, MEMBER_TOKEN } from "@/testing/proposals";
import { answersWith, castVote, LIST, notice, openDialog, VOTE } from "@/testing/proposals-page";
import vectors from "@/testing/promise-vectors.json";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";
import { readBallot, readVoteStatus, storeBallot, storeVoteStatus } from "@/lib/session/ballot-storage";
import { readToken, storeToken } from "@/lib/session/token-storage";

const { promised: receipt } = vectors.receipts;
const PROMISED = "Promised; listed on 1 February at the latest.";

describe("voting", () => {
  beforeEach(() => {
    storeToken(MEMBER_TOKEN);
    vi.setSystemTime(new Date("2026-02-01T12:00:00Z"));
  });
  afterEach(() => vi.useRealTimers());

  test("a visitor is warned and sent to join", async () => {
    localStorage.clear();
    const api = answersWith([aProposal()]);
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await user.click(dialog.getByRole("button", { name: "Yes" }));

    expect(await screen.findByText("Kindly register to vote")).toBeVisible();
    expect(currentAddress()).toBe("/join");
    expect(api.calls.some(({ method }) => method === "POST")).toBe(false);
  });

  test("a vote is sent with a nonce that was stored before, and is counted", async () => {
    const api = answersWith([aProposal()]);
    let stored: string | undefined;
    api.answer(VOTE, () => {
      stored = readBallot("bees")?.nonce;
      api.answer(LIST, [aProposal({ userVote: "voted", upvotePercentage: 35.2 })]);
      return { success: true, user_vote_status: "voted", receipt: receipt };
    });
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    expect(screen.getByRole("heading", { name: "Cast your vote" })).toHaveFocus();
    expect(dialog.getByText("Beekeeping kits").parentElement).toHaveTextContent("$3,600 · Zambia");
    expect(dialog.getAllByRole("img")).toHaveLength(1);
    expect(dialog.getByText(/This vote will require 50% or more of changemakers/)).toBeVisible();
    await expectNoBarriers();
    await castVote(user, dialog, "Yes");

    const counted = await dialog.findByText("Your vote has been counted...");
    expect(counted.parentElement).toHaveFocus();
    const sent = api.calls.find(({ method }) => method === "POST");
    expect(sent?.body).toEqual({ id: "bees", voteType: "upvote", nonce: stored, padding: "  " });
    expect(stored).toMatch(/^[0-9a-f]{32}$/);
    expect(readVoteStatus("bees")).toBe("voted");
    expect(await dialog.findByText("FBHX-JYUI-5JO3")).toBeVisible();
    expect(dialog.getByText(PROMISED)).toBeVisible();
    expect(await dialog.findByText("35.2%")).toBeVisible();
    expect(dialog.queryByRole("button", { name: "Yes" })).toBeNull();
    await expectNoBarriers();
  });

  test("the receipt can be downloaded, and the news shared", async () => {
    answersWith([aProposal()]);
    const address = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:receipt");
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await castVote(user, dialog, "No");
    await user.click(await dialog.findByRole("button", { name: "Download receipt" }));
    const [file] = address.mock.calls[0] ?? [];
    expect(JSON.parse(await (file as Blob).text())).toEqual(receipt);
    await user.click(dialog.getByRole("button", { name: "Share the news" }));

    expect(await screen.findByRole("dialog", { name: "Spread the word" })).toBeVisible();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Message").value).toContain(
      "https://jara.example/proposals/beekeeping-kits",
    );
  });

  test("with a stored vote nothing is sent", async () => {
    storeVoteStatus("bees", "voted");
    const api = answersWith([aProposal()]);
    const { user } = renderApp("/proposals");
    const [see] = await screen.findAllByRole("button", { name: "See your vote" });
    expect(screen.queryByText(/^Please vote before/)).toBeNull();
    await user.click(see ?? document.body);

    expect(await screen.findByText("Your vote has been counted...")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Yes" })).toBeNull();
    expect(api.calls.some(({ method }) => method === "POST")).toBe(false);
  });

  test("a refusal with a vote status shows the result", async () => {
    const api = answersWith([aProposal()]);
    const body = { message: "You have voted already.", user_vote_status: "voted" };
    api.answer(VOTE, withStatus(409, body));
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await castVote(user, dialog, "Yes");

    expect(await screen.findByText("You have voted already.")).toBeVisible();
    expect(await dialog.findByText("Your earlier vote counts. This one was not cast.")).toBeVisible();
    expect(dialog.queryByText("Your vote has been counted...")).toBeNull();
    expect(readVoteStatus("bees")).toBe("voted");
  });

  test("a vote that another tab cast meanwhile counts; this one is not sent, and its receipt stays", async () => {
    const api = answersWith([aProposal()]);
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    const ballot = { nonce: "a", choice: "upvote", receipt: { kept: true } };
    storeVoteStatus("bees", "voted");
    storeBallot("bees", ballot);
    const reads = () => api.calls.filter(({ path }) => path.startsWith("/user/get-proposals")).length;
    const before = reads();
    await user.click(dialog.getByRole("button", { name: "No" }));

    expect(await dialog.findByText("Your earlier vote counts. This one was not cast.")).toBeVisible();
    expect(screen.getByRole("dialog", { name: "You have already voted" })).toBeVisible();
    expect(reads()).toBe(before + 1);
    expect(api.calls.filter(({ path }) => path === "/user/votes")).toEqual([]);
    expect(readBallot("bees")).toEqual(ballot);
  });

  test("any other refusal stays in the dialog, and the proposals are read again", async () => {
    const api = answersWith([aProposal()]);
    api.answer(VOTE, refusal(403, "You may vote from 1 December."));
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await castVote(user, dialog, "No");

    expect(await notice("You may vote from 1 December.")).toBeVisible();
    // The dialog holds the notices while it is open.
    expect(dialog.getAllByText("You may vote from 1 December.")).toHaveLength(2);
    expect(dialog.getByRole("button", { name: "Vote no. This is final." })).toBeEnabled();
    expect(readVoteStatus("bees")).toBeNull();
    expect(api.calls.filter(({ path }) => path === "/user/get-proposals")).toHaveLength(2);
  });

  test("a vote that the server says has ended shows its result, not the buttons", async () => {
    const api = answersWith([aProposal(), aProposal({ id: "wells", slug: "wells" })]);
    api.answer(VOTE, () => {
      // The list sorts ended votes last; the page must keep showing the same proposal.
      api.answer(LIST, [aProposal({ id: "wells", slug: "wells" }), aProposal()]);
      return withStatus(409, { code: "voting_closed", message: "The vote is over." });
    });
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await castVote(user, dialog, "Yes");

    expect(await notice("The vote is over.")).toBeVisible();
    expect(await screen.findByRole("dialog", { name: "The result" })).toBeVisible();
    expect(dialog.getByText(/The result will be ready within a day/)).toBeVisible();
    expect(dialog.queryByRole("button", { name: "Yes" })).toBeNull();
    await expectNoBarriers();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("button", { name: "Cast Vote" })).toBeNull();
    expect(screen.getByText(/^Voting closed on/)).toBeVisible();
    await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
  });

  test("a vote that ends while the page is open closes at once", async () => {
    const end = new Date(Date.now() + 60_000);
    const timers = vi.spyOn(window, "setTimeout");
    answersWith([aProposal({ endDate: end.toISOString() })]);
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    const atTheEnd = timers.mock.calls.find(([, wait = 0]) => wait > 30_000 && wait <= 60_000);
    vi.setSystemTime(end);
    act(() => {
      if (typeof atTheEnd?.[0] === "function") atTheEnd[0]();
    });
    vi.useRealTimers();

    expect(dialog.queryByRole("button", { name: "Yes" })).toBeNull();
    expect(dialog.getByText(/Voting has ended\./).parentElement?.parentElement).toHaveFocus();
    expect(screen.queryByText("Cast Vote")).toBeNull();
  });

  test("after a lost answer the same ballot is sent again and brings the receipt", async () => {
    const api = answersWith([aProposal()]);
    api.answer(VOTE, () => {
      api.answer(LIST, [aProposal({ userVote: "voted" })]);
      return refusal(502, "The line broke.");
    });
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await castVote(user, dialog, "No");
    const again = await dialog.findByRole("button", { name: "Get your receipt" });
    api.answer(VOTE, { success: true, user_vote_status: "voted", receipt: receipt });
    await user.click(again);

    expect(await dialog.findByText("FBHX-JYUI-5JO3")).toBeVisible();
    const [first, second] = api.calls.filter(({ method }) => method === "POST");
    expect(second?.body).toEqual(first?.body);
  });

  test("a choice can be taken back before it is final, and nothing is sent", async () => {
    const api = answersWith([aProposal()]);
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await user.click(dialog.getByRole("button", { name: "No" }));
    expect(dialog.getByText("Your vote: No").parentElement).toHaveFocus();
    expect(dialog.queryByRole("button", { name: "Yes" })).toBeNull();
    await expectNoBarriers();
    await user.click(dialog.getByRole("button", { name: "Back" }));

    expect(dialog.getByRole("button", { name: "Yes" }).parentElement).toHaveFocus();
    expect(api.calls.some(({ method }) => method === "POST")).toBe(false);
  });

  test("without an answer the dialog says that the vote may be cast, also when the network is back", async () => {
    const api = answersWith([aProposal()]);
    api.answer(VOTE, () => Promise.reject(new TypeError("no answer")));
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await castVote(user, dialog, "Yes");
    expect(await dialog.findByRole("alert")).toHaveTextContent("We got no answer, so your vote may have been cast.");
    api.answer(LIST, [aProposal({ userVote: "voted" })]);
    act(() => void window.dispatchEvent(new Event("online")));

    expect(await dialog.findByText("Your vote has been counted...")).toBeVisible();
    expect(dialog.getByRole("button", { name: "Get your receipt" })).toBeVisible();
  });

  test("an expired session redirects to the sign-in page", async () => {
    const api = answersWith([aProposal()]);
    api.answer(VOTE, refusal(401, "Kindly register to vote"));
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await castVote(user, dialog, "Yes");

    expect(await screen.findByText("Kindly register to vote")).toBeVisible();
    await waitFor(() => expect(currentAddress()).toBe("/login"));
    expect((await screen.findByText(/^Your vote was not cast/)).closest("[role=alert]")).toBeVisible();
  });

  test("with an expired session the page is shown as to a visitor", async () => {
    answersWith([aProposal()]).answer(LIST, ({ headers }: FakeRequest) =>
      headers["token"] === undefined ? [aProposal()] : refusal(401, "Please sign in again."),
    );
    renderApp("/proposals");

    expect(await screen.findByRole("heading", { level: 1, name: "Beekeeping kits" })).toBeVisible();
    expect(await notice("Please sign in again.")).toBeVisible();
    expect(readToken()).toBeNull();
  });

  test("the kept receipt is checked on the page of the proposal", async () => {
    answersWith([aProposal()]);
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await castVote(user, dialog, "Yes");
    await dialog.findByText("FBHX-JYUI-5JO3");
    await user.keyboard("{Escape}");
    await user.click(await screen.findByRole("button", { name: "Check my vote" }));

    expect(await screen.findByRole("status")).toHaveTextContent(PROMISED);
    expect(screen.getAllByText("OK")).toHaveLength(9);
    await expectNoBarriers();
  });
});
