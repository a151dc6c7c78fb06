import { screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { aTally } from "@/testing/reports";
import { refusal } from "@/testing/fake-api";
import { aProject } from "@/testing/builders";
import { aPassedProposal, aProposal } from "@/testing/proposals";
import { answersWith, LIST, notice } from "@/testing/proposals-page";
import { expectNoBarriers, renderApp } from "@/testing/render-app";

describe("the proposals page", () => {
  test("the first proposal of the array is shown, the others are listed below", async () => {
    answersWith([aProposal(), aPassedProposal()]);
    renderApp("/proposals");

    expect(await screen.findByRole("heading", { level: 1, name: "Beekeeping kits" })).toBeVisible();
    expect(screen.getByText(/^Proposal to vote on, by Saturday, 30 November 2999, \d\d:\d\d \S+$/)).toBeVisible();
    expect(screen.getByText("$3,600", { selector: "dd span" })).toBeVisible();
    expect(screen.getByText("Zambia", { selector: "b" })).toBeVisible();
    expect(
      screen.getByRole("link", { name: "Chanda Mulenga on LinkedIn (opens in a new tab)" }),
    ).toHaveAttribute("href", "https://linkedin.example/in/chanda");
    const other = screen.getByRole("link", { name: "Light for the road" });
    expect(other).toHaveAttribute("href", "/proposals/light-for-the-road");
    expect(screen.getByRole("heading", { name: "That's all" })).toBeVisible();
    expect(screen.getByText(/^Please vote before Saturday, 30 November 2999, \d\d:\d\d \S+\./)).toBeVisible();
    await expectNoBarriers();
  });

  test("another vote in progress ends at an hour and in a zone too", async () => {
    answersWith([aPassedProposal(), aProposal()]);
    renderApp("/proposals");

    const end = /^Open until Saturday, 30 November 2999, \d\d:\d\d \S+$/;
    expect(await screen.findByText(end)).toBeVisible();
  });

  test("the sections are those of the specification, and an empty one is not there", async () => {
    answersWith([aProposal({ implementation: "" })]);
    renderApp("/proposals");
    await screen.findByText("Maize has fed the valley.");
    const titles = [...document.querySelectorAll("summary")].map(({ textContent }) => textContent);

    expect(titles).toEqual(["The Story", "Budget", "Metric we'll track"]);
    expect(screen.getByRole("row", { name: "Total $3,600" })).toBeInTheDocument();
  });

  test("metrics may be a list", async () => {
    answersWith([aProposal({ metrics: ["Litres", "Families"] })]);
    renderApp("/proposals");

    expect(await screen.findByText("Families")).toBeInTheDocument();
  });

  test("vote bars show the served shares and the votes still needed", async () => {
    answersWith([aProposal({ upvotePercentage: 49.9 })]);
    renderApp("/proposals");

    const yes = await screen.findByRole("meter", { name: /Yes votes/ });
    expect(yes).toHaveAttribute("aria-valuenow", "49.9");
    expect(screen.getByText("50% to pass")).toBeInTheDocument();
    expect(
      screen.getByText(/13 of 34 have voted\. 6 more yes votes pass it\. It passes when 50% or more of changemakers vote yes\./),
    ).toBeVisible();
    expect(screen.getByText("49.9% yes so far")).toBeInTheDocument();
  });

  test("without votes the bars are empty and say so", async () => {
    answersWith([aProposal({ votes: 0, upvotePercentage: 0, downvotePercentage: 0 })]);
    renderApp("/proposals");

    const yes = await screen.findByRole("meter", { name: /Yes votes/ });
    expect(yes).toHaveAttribute("aria-valuetext", "No votes yet");
  });

  test("without votes the bars say so in the past after the end", async () => {
    answersWith([aProposal({votes: 0, upvotePercentage: 0, downvotePercentage: 0, endDate: "2020-11-30" })]);
    renderApp("/proposals");

    expect(await screen.findByRole("meter", { name: /Yes votes/ })).toHaveAttribute("aria-valuetext", "No votes");
  });

  test("an empty array says that there is nothing to vote on", async () => {
    answersWith([]);
    renderApp("/proposals");

    expect(await screen.findByText("Nothing to vote on today.")).toBeVisible();
    await expectNoBarriers();
  });

  test.each([
    ["what members have funded", [aProject()], "See what members have funded", "/projects"],
    ["joining, where nothing is funded either", [], "Be the first square", "/join"],
  ])("nothing to vote on leads to %s", async (_, projects, name, href) => {
    answersWith([]).answer("GET /projects", projects);
    renderApp("/proposals");

    expect(await screen.findByRole("link", { name })).toHaveAttribute("href", href);
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
    expect(screen.getByText(/The result will be ready within a day/)).toBeVisible();
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
    expect(screen.getByText("20 June")).toBeVisible();
    expect(screen.getByRole("link", { name: "Follow the project" })).toHaveAttribute(
      "href",
      "/projects/street-lights",
    );
    expect(document.title).toBe("Light for the road — Jara");
    await expectNoBarriers();
  });

  test("a vote that did not pass says by how much", async () => {
    const tally = aTally({ yes: 9, no: 11, roll: 31, notVoted: 11, needed: 7 });
    answersWith([aPassedProposal({ result: "rejected", status: "rejected", tally })]);
    renderApp("/proposals/lights");

    expect(await screen.findByText(/Did not pass: 9 of 31 .* 7 more yes votes were needed\./)).toBeVisible();
  });

  test("an unknown name is a page that does not exist", async () => {
    answersWith([aProposal()]);
    renderApp("/proposals/no-such-thing");

    await waitFor(() => expect(document.title).not.toContain("Proposals"));
    expect(screen.getByRole("heading", { level: 1 })).not.toHaveTextContent("Beekeeping");
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

  test("without speech synthesis there is no Listen button", async () => {
    answersWith([aProposal()]);
    renderApp("/proposals");
    await screen.findByRole("heading", { level: 1 });

    expect(screen.queryByRole("button", { name: "Listen" })).toBeNull();
  });
});
