import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { withStatus } from "@/testing/fake-api";
import { aProposal, MEMBER_TOKEN } from "@/testing/proposals";
import { answersWith, castVote, LIST, openDialog, VOTE } from "@/testing/proposals-page";
import { renderApp } from "@/testing/render-app";
import { storeToken } from "@/lib/session/token-storage";

const MINUTE_MS = 60_000;

test("a browser whose clock is five minutes fast lets its member vote until the end", async () => {
  storeToken(MEMBER_TOKEN);
  const server = Date.now() - 5 * MINUTE_MS;
  const vote = aProposal({ endDate: new Date(server + 3 * MINUTE_MS).toISOString() });
  const api = answersWith([vote]);
  api.answer(LIST, () => withStatus(200, [vote], { Date: new Date(server).toUTCString() }));
  const { user } = renderApp("/proposals");
  const dialog = await openDialog(user);

  expect(screen.getAllByText(/[23] minutes left/)[0]).toBeVisible();
  expect(screen.getByText(/^Please vote before \w+, \d+ \w+, \d\d:\d\d \S+ · [23] minutes left\.$/)).toBeVisible();
  expect(screen.getByText(/^closes \w+, \d+ \w+, \d\d:\d\d \S+ · [23] minutes left$/)).toBeInTheDocument();
  await castVote(user, dialog, "Yes");
  expect(api.calls.map(({ method, path }) => `${method} ${path}`)).toContain(VOTE);
});
