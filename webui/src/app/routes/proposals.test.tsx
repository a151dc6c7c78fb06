import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { aConfig } from "@/testing/builders";
import { fakeApi, refusal, withStatus, type FakeApi, type FakeRequest } from "@/testing/fake-api";
import {
  aMember,
  aMoneyReport,
  aPassedProposal,
  aProposal,
  MEMBER_TOKEN,
} from "@/testing/proposals";
import vectors from "@/testing/receipt-vectors.json";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";
import { readBallot, readVoteStatus, storeVoteStatus } from "@/lib/ballot-storage";
import { readToken, storeToken } from "@/lib/token-storage";

const LIST = "GET /user/get-proposals";
const VOTE = "POST /user/votes";

function answersWith(proposals: readonly unknown[]): FakeApi {
  return fakeApi({
    "GET /config": aConfig(),
    "GET /user/get-profile": aMember(),
    [LIST]: proposals,
    [VOTE]: {
      success: true,
      user_vote_status: "voted",
      message: "Your vote has been counted.",
      receipt: vectors.receipt,
    },
    "GET /proofs/checkpoint": vectors.head,
    "GET /proofs/consistency?from=5&to=13": vectors.consistency,
    "GET /impact?month=2026-05#money": aMoneyReport(),
  });
}

async function openDialog(user: ReturnType<typeof renderApp>["user"]) {
  const [cast] = await screen.findAllByRole("button", { name: "Cast Vote" });
  if (cast === undefined) throw new Error("There is no Cast Vote.");
  await user.click(cast);
  return within(await screen.findByRole("dialog", { name: "Cast your vote" }));
}

/** What a notice at the top right says. */
function notice(text: string) {
  return screen.findByText(text, { selector: ".Toastify *" });
}

describe("the proposals page", () => {
  test("the first proposal of the array is shown, the others are listed below", async () => {
    answersWith([aProposal(), aPassedProposal()]);
    renderApp("/proposals");

    expect(await screen.findByRole("heading", { level: 1, name: "Beekeeping kits" })).toBeVisible();
    expect(screen.getByText("Proposal to vote on, by Saturday, 30 November 2999")).toBeVisible();
    expect(screen.getByText("$3,600", { selector: "dd span" })).toBeVisible();
    expect(screen.getByText("Zambia", { selector: "b" })).toBeVisible();
    expect(
      screen.getByRole("link", { name: "Chanda Mulenga on LinkedIn (opens in a new tab)" }),
    ).toHaveAttribute("href", "https://linkedin.example/in/chanda");
    const other = screen.getByRole("link", { name: "Light for the road" });
    expect(other).toHaveAttribute("href", "/proposals/light-for-the-road");
    expect(screen.getByRole("heading", { name: "That's all" })).toBeVisible();
    expect(screen.getByText("Please vote before Saturday, 30 November 2999.")).toBeVisible();
    await expectNoBarriers();
  });

  test("the sections are those of the specification, and an empty one is not there", async () => {
    answersWith([aProposal({ implementation: "" })]);
    renderApp("/proposals");
    await screen.findByRole("heading", { level: 1 });
    const titles = [...document.querySelectorAll("summary")].map(({ textContent }) => textContent);

    expect(titles).toEqual(["The Story", "Budget", "Metric we'll track"]);
    expect(screen.getByRole("row", { name: "Total $3,600" })).toBeInTheDocument();
    expect(screen.getByText("Maize has fed the valley.")).toBeInTheDocument();
  });

  test("metrics may be a list", async () => {
    answersWith([aProposal({ metrics: ["Litres", "Families"] })]);
    renderApp("/proposals");

    expect(await screen.findByText("Families")).toBeInTheDocument();
  });

  test("bars are shares of the roll as served, with what is still needed", async () => {
    answersWith([aProposal({ upvotePercentage: 49.9 })]);
    renderApp("/proposals");

    const yes = await screen.findByRole("meter", { name: /Yes votes/ });
    expect(yes).toHaveAttribute("aria-valuenow", "49.9");
    expect(screen.getByText("50% to pass")).toBeInTheDocument();
    expect(
      screen.getByText(/21 of 34 changemakers not yet voted\. 6 more yes votes are needed\./),
    ).toBeVisible();
    expect(screen.getByText("49.9% yes so far")).toBeInTheDocument();
  });

  test("without votes the bars are empty and say so", async () => {
    answersWith([aProposal({ votes: 0, upvotePercentage: 0, downvotePercentage: 0 })]);
    renderApp("/proposals");

    const yes = await screen.findByRole("meter", { name: /Yes votes/ });
    expect(yes).toHaveAttribute("aria-valuetext", "No votes yet");
  });

  test("an empty array says that there is nothing to vote on", async () => {
    answersWith([]);
    renderApp("/proposals");

    expect(await screen.findByText("Nothing to vote on today.")).toBeVisible();
    await expectNoBarriers();
  });

  test("a failure offers the same call again", async () => {
    const api = answersWith([]);
    api.answer(LIST, refusal(500, "No."));
    const { user } = renderApp("/proposals");
    await screen.findByText("The proposals did not load.");
    expect(await notice("No.")).toBeVisible();
    api.answer(LIST, [aProposal()]);
    await user.click(screen.getByRole("button", { name: "Try again" }));

    expect(await screen.findByRole("heading", { level: 1, name: "Beekeeping kits" })).toBeVisible();
  });

  test("after its end a vote takes no more ballots", async () => {
    answersWith([aProposal({ endDate: "2020-11-30" })]);
    renderApp("/proposals");

    expect(await screen.findByText("Voting closed on Monday, 30 November 2020")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Cast Vote" })).toBeNull();
    expect(screen.getByRole("meter", { name: /Yes votes/ })).toBeInTheDocument();
    expect(screen.getByText(/The result is counted within a day/)).toBeVisible();
  });
});

describe("the page of one proposal", () => {
  test("a decided vote shows its result and where the money went", async () => {
    answersWith([aProposal(), aPassedProposal()]);
    renderApp("/proposals/light-for-the-road");

    expect(
      await screen.findByText("Passed: 14 of 22 changemakers voted yes, 2 voted no."),
    ).toBeVisible();
    expect(await screen.findByText("$2,000")).toBeVisible();
    expect(screen.getByRole("link", { name: "Street lights" })).toHaveAttribute(
      "href",
      "/projects/street-lights",
    );
    expect(screen.getByRole("link", { name: "Follow the project" })).toHaveAttribute(
      "href",
      "/projects/street-lights",
    );
    expect(document.title).toBe("Light for the road — Jara");
    await expectNoBarriers();
  });

  test("a vote that did not pass says by how much", async () => {
    const tally = { yes: 9, no: 11, roll: 31, notVoted: 11, needed: 7 };
    answersWith([aPassedProposal({ result: "rejected", status: "rejected", tally })]);
    renderApp("/proposals/lights");

    expect(await screen.findByText(/Not passed: 9 of 31 .* 7 more were needed\./)).toBeVisible();
  });

  test("an unknown name is a page that does not exist", async () => {
    answersWith([aProposal()]);
    renderApp("/proposals/no-such-thing");

    await waitFor(() => expect(document.title).not.toContain("Proposals"));
    expect(screen.getByRole("heading", { level: 1 })).not.toHaveTextContent("Beekeeping");
  });
});

describe("voting", () => {
  beforeEach(() => storeToken(MEMBER_TOKEN));

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
      return { success: true, user_vote_status: "voted", receipt: vectors.receipt };
    });
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    expect(dialog.getByText(/This vote will require 50% or more of changemakers/)).toBeVisible();
    await expectNoBarriers();
    await user.click(dialog.getByRole("button", { name: "Yes" }));

    const counted = await dialog.findByText("Your vote has been counted...");
    expect(counted.parentElement).toHaveFocus();
    const sent = api.calls.find(({ method }) => method === "POST");
    expect(sent?.body).toEqual({ id: "bees", voteType: "upvote", nonce: stored });
    expect(stored).toMatch(/^[0-9a-f]{32}$/);
    expect(readVoteStatus("bees")).toBe("voted");
    expect(dialog.getByText("RSTY-2YNO-CRFS")).toBeVisible();
    expect(await dialog.findByText("35.2%")).toBeVisible();
    expect(dialog.queryByRole("button", { name: "Yes" })).toBeNull();
    await expectNoBarriers();
  });

  test("the receipt can be downloaded, and the news shared", async () => {
    answersWith([aProposal()]);
    const address = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:receipt");
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await user.click(dialog.getByRole("button", { name: "No" }));
    await user.click(await dialog.findByRole("button", { name: "Download receipt" }));
    const [file] = address.mock.calls[0] ?? [];
    expect(JSON.parse(await (file as Blob).text())).toEqual(vectors.receipt);
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
    await user.click(dialog.getByRole("button", { name: "Yes" }));

    expect(await screen.findByText("You have voted already.")).toBeVisible();
    expect(await dialog.findByText("Your vote has been counted...")).toBeVisible();
    expect(readVoteStatus("bees")).toBe("voted");
  });

  test("any other refusal stays in the dialog, and the proposals are read again", async () => {
    const api = answersWith([aProposal()]);
    api.answer(VOTE, refusal(403, "You may vote from 1 December."));
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await user.click(dialog.getByRole("button", { name: "No" }));

    expect(await dialog.findByText("You may vote from 1 December.")).toBeVisible();
    expect(await notice("You may vote from 1 December.")).toBeVisible();
    expect(dialog.getByRole("button", { name: "Yes" })).toBeEnabled();
    expect(readVoteStatus("bees")).toBeNull();
    expect(api.calls.filter(({ path }) => path === "/user/get-proposals")).toHaveLength(2);
  });

  test("a vote that the server says has ended shows its result, not the buttons", async () => {
    const api = answersWith([aProposal(), aProposal({ id: "wells", slug: "wells" })]);
    api.answer(VOTE, () => {
      // The list puts what is over behind what runs; the reader stays with what they read.
      api.answer(LIST, [aProposal({ id: "wells", slug: "wells" }), aProposal()]);
      return withStatus(409, { code: "voting_closed", message: "The vote is over." });
    });
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await user.click(dialog.getByRole("button", { name: "Yes" }));

    expect(await notice("The vote is over.")).toBeVisible();
    expect(await screen.findByRole("dialog", { name: "The result" })).toBeVisible();
    expect(dialog.getByText(/The result is counted within a day/)).toBeVisible();
    expect(dialog.queryByRole("button", { name: "Yes" })).toBeNull();
    await expectNoBarriers();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("button", { name: "Cast Vote" })).toBeNull();
    expect(screen.getByText(/^Voting closed on/)).toBeVisible();
    await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
  });

  test("a vote that ends while somebody looks at it is closed there and then", async () => {
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
    expect(dialog.getByText(/The vote has ended\./).parentElement?.parentElement).toHaveFocus();
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
    await user.click(dialog.getByRole("button", { name: "No" }));
    const again = await dialog.findByRole("button", { name: "Get your receipt" });
    api.answer(VOTE, { success: true, user_vote_status: "voted", receipt: vectors.receipt });
    await user.click(again);

    expect(await dialog.findByText("RSTY-2YNO-CRFS")).toBeVisible();
    const [first, second] = api.calls.filter(({ method }) => method === "POST");
    expect(second?.body).toEqual(first?.body);
  });

  test("a sign-in that has run out leads to the sign-in page", async () => {
    const api = answersWith([aProposal()]);
    api.answer(VOTE, refusal(401, "Kindly register to vote"));
    const { user } = renderApp("/proposals");
    const dialog = await openDialog(user);
    await user.click(dialog.getByRole("button", { name: "Yes" }));

    expect(await screen.findByText("Kindly register to vote")).toBeVisible();
    await waitFor(() => expect(currentAddress()).toBe("/login"));
  });

  test("a sign-in that ran out before the page was opened leaves a visitor who can read it", async () => {
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
    await user.click(dialog.getByRole("button", { name: "Yes" }));
    await dialog.findByText("RSTY-2YNO-CRFS");
    await user.keyboard("{Escape}");
    await user.click(await screen.findByRole("button", { name: "Check my vote" }));

    expect(await screen.findByText("Your ballot is in the log as you cast it.")).toBeVisible();
    expect(screen.getAllByText("OK")).toHaveLength(9);
    await expectNoBarriers();
  });
});

describe("listening", () => {
  test("the title, the summary and the open sections are read aloud, until Stop", async () => {
    const spoken: string[] = [];
    const cancel = vi.fn<() => void>();
    class Utterance extends EventTarget {
      lang = "";
      constructor(readonly text: string) {
        super();
      }
    }
    vi.stubGlobal("SpeechSynthesisUtterance", Utterance);
    vi.stubGlobal("speechSynthesis", {
      speak: (utterance: Utterance) => spoken.push(utterance.text),
      cancel,
    });
    answersWith([aProposal()]);
    const { user } = renderApp("/proposals");
    await user.click(await screen.findByRole("button", { name: "Listen" }));

    expect(spoken[0]).toContain("Beekeeping kits. Hives for twenty-four families.");
    expect(spoken[0]).toContain("Maize has fed the valley.");
    expect(spoken[0]).not.toContain("Hives are built.");
    const stop = screen.getByRole("button", { name: "Stop" });
    expect(stop).toHaveAttribute("aria-pressed", "true");
    await user.click(stop);
    expect(cancel).toHaveBeenCalled();
    expect(screen.getByRole("button", { name: "Listen" })).toBeVisible();
  });

  test("a browser that cannot speak has no Listen", async () => {
    answersWith([aProposal()]);
    renderApp("/proposals");
    await screen.findByRole("heading", { level: 1 });

    expect(screen.queryByRole("button", { name: "Listen" })).toBeNull();
  });
});
