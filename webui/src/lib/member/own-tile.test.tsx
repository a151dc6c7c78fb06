import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { tileFor } from "@/art/tiles";
import { storeToken } from "@/lib/session/token-storage";
import { fill, joinAnswers } from "@/testing/join-wizard";
import { MEMBER_TOKEN, aProposal } from "@/testing/proposals";
import { answersWith } from "@/testing/proposals-page";
import { renderApp } from "@/testing/render-app";

const drawn = (tile: string) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.innerHTML = tile;
  return svg.innerHTML;
};

test("a member has the same tile while joining, on the dashboard and after voting", async () => {
  const tile = drawn(tileFor("Ama Mensah"));
  joinAnswers();
  const joining = renderApp("/join");
  await screen.findByLabelText("First name");
  await fill(joining.user, "First name", "Ama");
  await fill(joining.user, "Last name", " Mensah");
  expect(joining.container.innerHTML).toContain(tile);
  joining.unmount();

  storeToken(MEMBER_TOKEN);
  answersWith([aProposal({ userVote: "voted" })]);
  const dashboard = renderApp("/dashboard");
  await screen.findByRole("heading", { name: "Ama" });
  expect(dashboard.container.innerHTML).toContain(tile);
  dashboard.unmount();

  const { user } = renderApp("/proposals");
  const [see] = await screen.findAllByRole("button", { name: "See your vote" });
  await user.click(see ?? document.body);
  expect((await screen.findByRole("dialog")).innerHTML).toContain(tile);
});
