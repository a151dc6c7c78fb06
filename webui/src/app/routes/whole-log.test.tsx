import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { aConfig } from "@/testing/builders";
import { fakeApi, refusal } from "@/testing/fake-api";
import promises from "@/testing/promise-vectors.json";
import { expectNoBarriers, renderApp } from "@/testing/render-app";

const { head, receipts, answers } = promises;
const ENTRIES = `GET /proofs/entries?from=0&to=${head.size}`;

async function openResult(changes: Partial<typeof head> = {}) {
  const api = fakeApi({
    "GET /config": aConfig(),
    "GET /proofs/checkpoint": { ...head, ...changes },
    "POST /proofs/ballot": answers.yes,
  });
  const { user } = renderApp("/check-vote");
  await user.click(await screen.findByLabelText("Or paste the receipt"));
  await user.paste(JSON.stringify(receipts.yes));
  await user.click(screen.getByRole("button", { name: "Check my vote" }));
  await screen.findByText(/Your browser can also download the whole public log/);
  return { api, user };
}

describe("the whole log", () => {
  test("a log that contradicts the receipt is reported with its first bad line", async () => {
    const { api, user } = await openResult();
    api.answer(ENTRIES, promises.lines.split("\n")[0]);
    await user.click(screen.getByRole("button", { name: "Check the whole log" }));

    expect(await screen.findByRole("alert")).toHaveTextContent("does not match, from line");
    await expectNoBarriers();
  });

  test("a log that does not answer is reported", async () => {
    const { api, user } = await openResult();
    api.answer(ENTRIES, refusal(503, "Busy."));
    await user.click(screen.getByRole("button", { name: "Check the whole log" }));

    expect(await screen.findByText(/We could not reach the log/)).toBeVisible();
  });

  test("a log that is too long is left to the stand-alone verifier", async () => {
    const { api, user } = await openResult();
    api.answer("GET /proofs/checkpoint", { ...head, size: 50_001 });
    await user.click(screen.getByRole("button", { name: "Check the whole log" }));

    expect(await screen.findByText(/too long for a browser/)).toBeVisible();
  });
});
