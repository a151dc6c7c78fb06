import { screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { aConfig } from "@/testing/builders";
import { fakeApi, refusal } from "@/testing/fake-api";
import promises from "@/testing/promise-vectors.json";
import vectors from "@/testing/receipt-vectors.json";
import { expectNoBarriers, renderApp } from "@/testing/render-app";

const text = JSON.stringify(promises.receipts.yes);

function openPage() {
  const api = fakeApi({
    "GET /config": aConfig(),
    "GET /proofs/checkpoint": promises.head,
    "POST /proofs/ballot": promises.answers.yes,
  });
  return { api, ...renderApp("/check-vote") };
}

async function paste(user: ReturnType<typeof renderApp>["user"], receipt: string) {
  await user.click(await screen.findByLabelText("Or paste the receipt"));
  await user.paste(receipt);
  await user.click(screen.getByRole("button", { name: "Check my vote" }));
}

type Promised = keyof typeof promises.receipts;

function openPromise(name: Promised) {
  vi.setSystemTime(new Date("2026-02-01T12:00:00Z"));
  const { key, leafBytes, proposal } = promises.receipts[name];
  const { voter } = JSON.parse(leafBytes) as { voter: string };
  const asked = { proposal, voter, key, size: promises.head.size };
  const api = fakeApi({
    "GET /config": aConfig(),
    "GET /proofs/checkpoint": promises.head,
    "POST /proofs/ballot": promises.answers[name],
    [`GET /proofs/entries?from=0&to=${promises.head.size}`]: new Response(promises.lines),
  });
  return { api, asked, ...renderApp("/check-vote") };
}

describe("a promised ballot", () => {
  afterEach(() => vi.useRealTimers());

  test.each<[Promised, string]>([
    ["promised", "Promised; listed on 1 February at the latest."],
    ["yes", "Listed, counted as yes."],
    ["no", "Listed, counted as no."],
    ["dropped", "Dropped, because no contribution was left."],
    ["withdrawn", "Withdrawn, nothing was counted."],
  ])("%s: the page says so, and so does the whole log", async (name, sentence) => {
    const { api, asked, user } = openPromise(name);
    await paste(user, JSON.stringify(promises.receipts[name]));

    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.getAllByText("OK")).toHaveLength(9);
    // The receipt stays here, and no address names the ballot: access logs keep addresses.
    expect(api.calls.map(({ body }) => body).filter((body) => body !== undefined)).toEqual([asked]);
    expect(api.calls.filter(({ path }) => path.includes(asked.voter))).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Check the whole log" }));
    expect(await screen.findByText(/match today's signed state. Your ballot:/)).toHaveTextContent(
      sentence,
    );
    await expectNoBarriers();
  });

  test("a broken promise is an alarm, and the file is the proof", async () => {
    const { user } = openPromise("missing");
    await paste(user, JSON.stringify(promises.receipts.missing));

    const missing = "Promised and missing: keep this file, it is the proof.";
    expect(await screen.findByRole("alert")).toHaveTextContent(missing);
    await user.click(screen.getByRole("button", { name: "Check the whole log" }));
    await waitFor(() => expect(screen.getAllByText(missing)).toHaveLength(2));
    await expectNoBarriers();
  });

  test("a changed promise names what failed, whatever became of the ballot", async () => {
    const { user } = openPromise("yes");
    const { yes } = promises.receipts;
    await paste(user, JSON.stringify({ ...yes, signature: "00".repeat(64) }));

    expect(await screen.findByRole("alert")).toHaveTextContent("This receipt did not pass.");
    expect(screen.getByText("Failed").parentElement).toHaveTextContent("The key on the receipt");
  });

  test("a promise about a vote that the log does not have does not pass", async () => {
    const { api, user } = openPromise("yes");
    const { yes } = promises.receipts;
    api.answer("POST /proofs/ballot", refusal(404, "There is no proposal 'unknown'."));
    await paste(user, JSON.stringify({ ...yes, proposal: "unknown" }));

    expect(await screen.findByRole("alert")).toHaveTextContent("This receipt did not pass.");
    const asked = api.calls.find(({ path }) => path === "/proofs/ballot")?.body;
    expect(asked).toMatchObject({ proposal: "unknown" });
    expect(screen.queryByText("Not checked: we could not reach the log")).toBeNull();
  });

  test("when the server does not answer, the receipt alone is checked", async () => {
    const { api, user } = openPromise("yes");
    const { yes } = promises.receipts;
    api.answer("POST /proofs/ballot", refusal(503, "Busy."));
    await paste(user, JSON.stringify(yes));

    expect(await screen.findByText("Everything that could be checked is correct.")).toBeVisible();
    expect(screen.getAllByText("Not checked: we could not reach the log")).toHaveLength(3);
  });

  test("the page says that the server learns which ballot is asked for", async () => {
    openPromise("yes");

    expect(await screen.findByText(/so the server can tell which ballot you look for/)).toBeVisible();
  });
});

describe("check my vote", () => {
  test("a receipt file is checked as soon as it is chosen", async () => {
    const { user } = openPage();
    const file = new File([text], "jara-receipt.json", { type: "application/json" });
    await user.upload(await screen.findByLabelText("Receipt file"), file);

    expect(await screen.findByText("Listed, counted as yes.")).toBeVisible();
    expect(screen.getByText(/A ballot for Yes on the proposal “new”/)).toBeVisible();
    expect(screen.getAllByText("OK")).toHaveLength(9);
    await expectNoBarriers();
  });

  test("the page says how many witnesses have seen the log", async () => {
    vi.setSystemTime(new Date("2026-11-20T15:00:00Z"));
    const { api } = openPage();
    api.answer("GET /proofs/witnesses", { seen: 2, of: 3, newest: "2026-11-20T12:00:00Z" });

    expect(
      await screen.findByText(/^2 of 3 witnesses have seen this log, the newest 3 hours ago\./),
    ).toBeVisible();
    vi.useRealTimers();
  });

  test("the page says that no witness has seen the log yet", async () => {
    const { api } = openPage();
    api.answer("GET /proofs/witnesses", { seen: 0, of: 1, newest: null });

    expect(await screen.findByText(/^The witness of this log has not seen it yet\./)).toBeVisible();
  });

  test("a pasted receipt that was changed names what failed", async () => {
    const { user } = openPage();
    await paste(user, text.replace(promises.receipts.yes.tracker.slice(0, 4), "AAAA"));

    expect(await screen.findByRole("alert")).toHaveTextContent("This receipt did not pass.");
    expect(screen.getByText("Failed").parentElement).toHaveTextContent("The tracker");
    await expectNoBarriers();
  });

  test("without the log only the receipt itself is checked", async () => {
    const { api, user } = openPage();
    api.answer("GET /proofs/checkpoint", refusal(503, "Busy."));
    await paste(user, text);

    expect(await screen.findByText("Everything that could be checked is correct.")).toBeVisible();
    expect(screen.getAllByText("Not checked: we could not reach the log")).toHaveLength(4);
  });

  test("an invalid receipt is refused with a message", async () => {
    const { user } = openPage();
    await user.click(await screen.findByRole("button", { name: "Check my vote" }));
    expect(screen.getByText("Choose a receipt file, or paste the receipt.")).toBeVisible();
    await paste(user, "{}");

    expect(await screen.findByText(/This is not a receipt/)).toBeVisible();
    expect(screen.getByLabelText("Or paste the receipt")).toBeInvalid();
  });

  test("without WebCrypto the page says what to do", async () => {
    vi.stubGlobal("crypto", {});
    const { user } = openPage();
    await paste(user, text);

    expect(await screen.findByText(/This browser cannot check hashes on this page/)).toBeVisible();
  });

  test("keys from elsewhere name each witness and when it saw the log", async () => {
    const { api, user } = openPage();
    api.answer("GET /proofs/checkpoint", { ...vectors.head, cosigned: vectors.cosignedHead });
    await user.click(await screen.findByText("Check with keys from elsewhere (optional)"));
    await user.click(screen.getByLabelText("Keys you trust, one on each line"));
    await user.paste([vectors.head.key, ...vectors.witnesses].join("\n"));
    await user.type(screen.getByLabelText("How many witnesses are needed"), "2");
    await paste(user, text);

    expect(await screen.findByText("The log's key is the one you gave.")).toBeVisible();
    expect(screen.getByText(/^w1.example\/witness saw the log of 13 lines .* \(Mar 1, 2026/)).toBeVisible();
    expect(screen.getByText(/^w3.example\/witness has not signed/)).toBeVisible();
    expect(screen.getByText(/^2 of 3 witnesses saw this log/)).toBeVisible();
    await expectNoBarriers();
  });

  test("too few witnesses, or a line that is not a key, do not pass", async () => {
    const { user } = openPage();
    await user.click(await screen.findByText("Check with keys from elsewhere (optional)"));
    await user.type(screen.getByLabelText("Keys you trust, one on each line"), "key");
    await paste(user, text);
    expect(await screen.findByText(/^Each line is one key/)).toBeVisible();
    await user.clear(screen.getByLabelText("Keys you trust, one on each line"));
    await user.type(screen.getByLabelText("Keys you trust, one on each line"), vectors.witnesses[0] ?? "");
    await user.click(screen.getByRole("button", { name: "Check my vote" }));

    expect(await screen.findByRole("alert")).toHaveTextContent("This receipt did not pass.");
    expect(screen.getByText(/^Too few of the witnesses/)).toBeVisible();
  });

  test("it says in plain words what a check proves and what not", async () => {
    openPage();

    expect(await screen.findByText("It proves")).toBeVisible();
    expect(screen.getByText(/a receipt lets its owner prove how they voted/)).toBeVisible();
    expect(screen.getByRole("link", { name: "proof bundle" })).toHaveAttribute(
      "href",
      "/api/proofs/bundle.tar",
    );
  });
});
