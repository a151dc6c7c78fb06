import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { VoteRule } from "@/api/schema";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { storeToken } from "@/lib/session/token-storage";
import { aPassedProposal, aProposal, MEMBER_TOKEN } from "@/testing/proposals";
import { answersWith, openDialog } from "@/testing/proposals-page";
import { renderApp } from "@/testing/render-app";

beforeEach(() => storeToken(MEMBER_TOKEN));

function withRule(num: number, den: number, make = aProposal) {
  const rule: VoteRule = { num, den, of: "roll" };
  return make({ tally: { ...make().tally, rule } });
}

test("a vote that passes at 60 % says so on its page and in the dialog", async () => {
  answersWith([withRule(3, 5)]);
  const { user } = renderApp("/proposals");
  const dialog = await openDialog(user);

  expect(
    dialog.getByText(/This vote will require 60% or more of changemakers to vote yes/),
  ).toBeVisible();
  // Once on the page and once in the dialog.
  expect(screen.getAllByText("60% to pass")).toHaveLength(2);
  const meters = screen.getAllByRole("meter", { name: "Yes votes, 60% needed to pass" });
  expect(meters.length).toBeGreaterThan(0);
  const threads = dialog.getByRole("img", { name: /11 changemakers voted yes/ });
  const [x, width] = ["x", "width"].map((name) => Number(threads.lastElementChild?.getAttribute(name)));
  expect((x ?? 0) + (width ?? 0) / 2).toBeCloseTo((34 * 3) / 5);
  expect(dialog.getByText(/the mark is at 60% of them/)).toBeVisible();
  expect(document.body).not.toHaveTextContent(/\b50\b|half/);
});

test("a decided vote keeps the rule that it was opened with", async () => {
  answersWith([withRule(2, 3, aPassedProposal)]);
  renderApp("/proposals/light-for-the-road");

  expect(await screen.findByText("2/3 to pass")).toBeVisible();
});

test("a rule of the votes with a quorum is put into words whole", () => {
  const rule = wordsOfRule({ num: 1, den: 2, of: "votes", more: true, quorum: { num: 1, den: 5 } });

  expect(rule).toEqual({
    percent: 50,
    threshold: "more than 50%",
    rule: "more than 50% of the votes are yes, and 20% or more of changemakers vote",
    sentence: "It passes when more than 50% of the votes are yes, and 20% or more of changemakers vote.",
    required: "more than 50% of the votes to be yes, and 20% or more of changemakers to vote,",
    absent: "Only the votes that are cast count.",
    measured: "50% of those who voted",
  });
});
