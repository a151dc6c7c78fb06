import { screen, within } from "@testing-library/react";
import { aConfig } from "@/testing/builders";
import { fakeApi, type FakeApi } from "@/testing/fake-api";
import { aFundedProject, aMember } from "@/testing/proposals";
import vectors from "@/testing/promise-vectors.json";
import type { renderApp } from "@/testing/render-app";

/** The API calls of the proposals page. */
export const LIST = "GET /user/get-proposals";
export const VOTE = "POST /user/votes";

/** The receipt that a vote gets. */
const { promised } = vectors.receipts;

/** Answers every call of voting. */
export function answersWith(proposals: readonly unknown[]): FakeApi {
  return fakeApi({
    "GET /config": aConfig(),
    "GET /user/get-profile": aMember(),
    [LIST]: proposals,
    [VOTE]: {
      success: true,
      user_vote_status: "voted",
      message: "Your vote has been counted.",
      receipt: promised,
    },
    "GET /proofs/checkpoint": vectors.head,
    "POST /proofs/ballot": vectors.answers.promised,
    "GET /projects/street-lights": aFundedProject(),
  });
}

/** Clicks the first Cast Vote and returns queries of its dialog. */
export async function openDialog(user: ReturnType<typeof renderApp>["user"]) {
  const [cast] = await screen.findAllByRole("button", { name: "Cast Vote" });
  if (cast === undefined) throw new Error("There is no Cast Vote.");
  await user.click(cast);
  return within(await screen.findByRole("dialog", { name: "Cast your vote" }));
}

/** Chooses in the dialog, and confirms. */
export async function castVote(user: ReturnType<typeof renderApp>["user"], dialog: ReturnType<typeof within>, choice: "Yes" | "No") {
  await user.click(dialog.getByRole("button", { name: choice }));
  await user.click(dialog.getByRole("button", { name: `Vote ${choice.toLowerCase()}. This is final.` }));
}

/** Finds a notice by its text. */
export function notice(text: string) {
  return screen.findByText(text, { selector: ".Toastify *" });
}
