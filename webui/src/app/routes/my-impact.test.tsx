import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { aConfig, aProject } from "@/testing/builders";
import { fakeApi, withStatus } from "@/testing/fake-api";
import { aProfile } from "@/testing/member";
import { MEMBER_TOKEN } from "@/testing/proposals";
import { expectNoBarriers, renderApp } from "@/testing/render-app";
import { aContribution, aPaidShare, aTrace, NO_MONEY } from "@/testing/trace";
import { readToken, storeToken } from "@/lib/session/token-storage";

function openAsMember(trace: unknown, path = "/my-impact", answers: Readonly<Record<string, unknown>> = {}) {
  storeToken(MEMBER_TOKEN);
  const api = fakeApi({
    "GET /user/get-proposals#open": [],
    "GET /config": aConfig(),
    "GET /user/impact": trace,
    "GET /projects": [aProject()],
    "GET /projects/clean-water-boreholes": aStory(),
    "GET /grants": [],
    ...answers,
  });
  return { api, ...renderApp(path) };
}

function aStory() {
  const step = { completed: true, images: [], evidence: [] };
  const proof = [
    { path: "/media/a.jpg", isImage: true },
    { path: "/media/b.pdf", isImage: false },
  ];
  return {
    slug: "clean-water-boreholes",
    title: "Clean water boreholes",
    category: "water",
    sample: true,
    milestones: [
      { ...step, id: "survey", title: "Site survey", date: "2026-03-12" },
      { ...step, id: "drill", title: "Borehole drilled", date: "2026-05-30", evidence: proof },
      { ...step, completed: false, id: "pump", title: "Pump fitted", date: "2026-12-15" },
    ],
    updates: [
      { id: "old", title: "A first look", date: "2026-03-20", content: "<p>Dry.</p>" },
      { id: "tank", title: "Second tank is filling", date: "2026-09-04", content: "<p>No line.</p><p>At all.</p>" },
    ],
    payouts: [],
  };
}

async function openTables() {
  (await screen.findByText("Every cent, in tables")).click();
}

test("a year names the day of the books it was read from, and links what it paid for", async () => {
  const year = {
    period: { from: "2025-01-01", to: "2025-12-31", until: "2025-12-31" },
    books: { size: 826, root: "7070f696", at: "2026-11-20T18:00:00Z" },
  };
  openAsMember(null, "/my-impact/2025", {
    "GET /user/impact?from=2025-01-01&to=2025-12-31": aTrace(year),
    "GET /projects": [aProject({ slug: "cold-boxes", account: "expenses:grants:cold-chain" })],
    "GET /user/get-profile": aProfile(),
    "GET /user/get-proposals": [],
  });

  expect(await screen.findByText(/^From the books as of 20 November/)).toBeVisible();
  expect(await screen.findByRole("link", { name: "Vaccine cold chain" })).toHaveAttribute("href", "/projects/cold-boxes");
});

describe("where my money went", () => {
  test("received is paid on, waiting and refunded, in all and in each fund", async () => {
    openAsMember(aTrace());

    expect(
      await screen.findByText(
        "$40.00 received = $21.95 spent + $13.05 waiting + $5.00 refunded",
      ),
    ).toBeVisible();
    await openTables();
    const funds = screen.getByRole("table", { name: "By fund" });
    expect(
      within(funds).getByRole("row", { name: "Projects $32.00 $20.00 $8.00 $4.00" }),
    ).toBeVisible();
    expect(within(funds).getByRole("row", { name: "Total $40.00 $21.95 $13.05 $5.00" })).toBeVisible();
    await expectNoBarriers();
  });

  test("each project is listed once with its sum and a link to its page, if any", async () => {
    openAsMember(aTrace());

    await openTables();
    const shares = within(screen.getByRole("region", { name: "What your money paid for" }));
    const project = await shares.findByRole("link", { name: "Clean water boreholes" });
    expect(project).toHaveAttribute("href", "/projects/clean-water-boreholes");
    expect(project.closest("li")).toHaveTextContent("$14.00");
    expect(shares.getByText("Vaccine cold chain").closest("a")).toBeNull();
    expect(screen.getByText("Payment fees (Staff)")).toBeVisible();
    expect(screen.getByText("Marketing", { selector: "b" })).toBeVisible();
  });

  test("the contributions are listed newest first, with what their receipt is not", async () => {
    openAsMember(aTrace());

    const table = await screen.findByRole("table", { name: "Your contributions" });
    const [, newest] = within(table).getAllByRole("row");
    expect(newest).toHaveTextContent("2 November");
    expect(newest).toHaveTextContent("$5.00 refunded");
    expect(
      screen.getByText(/It is not an official donation receipt and cannot be used for a tax credit/),
    ).toBeVisible();
    expect(screen.getByText(/Ce reçu est pour vos dossiers\. Ce n’est pas/)).toHaveAttribute(
      "lang",
      "fr",
    );
  });

  test("a payment in another currency stands beside its share, whole and in both", async () => {
    const abroad = { text: "KES 464,400", rate: "129.00" };
    const paid = {
      ...aPaidShare("expenses:projects:clean-water-boreholes", "Clean water boreholes", 1000),
      wholeCents: 360_000,
      foreign: abroad,
    };
    openAsMember(aTrace({ funds: { projects: { ...NO_MONEY, receivedCents: 1000, paid: [paid] } } }));

    const story = within(await screen.findByRole("region", { name: "Your money at work" }));
    // The story is drawn again when its project arrives.
    await waitFor(() =>
      expect(story.getByText("Part of a payment on 30 May: $3,600.00 = KES 464,400 at 129.00")).toBeVisible(),
    );
  });

  test("a long list shows a year first, and all of it when asked", async () => {
    const contributions = Array.from({ length: 15 }, (_, index) =>
      aContribution(`2025-01-${String(index + 1).padStart(2, "0")}`, String(index)),
    );
    const { user } = openAsMember(aTrace({ contributions }));
    const table = await screen.findByRole("table", { name: "Your contributions" });
    expect(within(table).getAllByRole("row")).toHaveLength(13);
    await user.click(screen.getByRole("button", { name: "Show all 15" }));

    expect(within(table).getAllByRole("row")).toHaveLength(16);
  });

  test("before any payment the dollars are waiting", async () => {
    const waiting = { ...NO_MONEY, receivedCents: 1600, waitingCents: 1600 };
    openAsMember(aTrace({ funds: { projects: waiting } }));

    expect(await screen.findByText(/None of your money has reached a project yet/)).toBeVisible();
  });

  test("without a contribution there is nothing to trace", async () => {
    openAsMember(aTrace({ contributions: [] }));

    expect(await screen.findByText("We haven't received a contribution from you yet.")).toBeVisible();
  });

  test("the story leads from my dollars to the step, its proof and the field", async () => {
    openAsMember(aTrace());

    const story = within(await screen.findByRole("region", { name: "Your money at work" }));
    expect(await story.findByText("Your $14.00 did this")).toBeVisible();
    expect(await story.findByText("done 30 May")).toBeVisible();
    expect(story.getByText("No line. At all.")).toBeVisible();
    expect(story.getByRole("img", { name: "Borehole drilled" })).toHaveAttribute("src", "/media/a.jpg");
    const project = story.getByRole("heading", { name: /Clean water boreholes/ });
    const chapter = within(project.closest("li") as HTMLElement);
    expect(chapter.getByText("Your $14.00")).toBeVisible();
    expect(chapter.getByRole("link", { name: "Photo" })).toHaveAttribute("href", "/media/a.jpg");
    expect(chapter.getByRole("link", { name: "Receipt" })).toHaveAttribute("href", "/media/b.pdf");
    expect(
      chapter.getByRole("link", { name: "From the field: “Second tank is filling”, 4 September" }),
    ).toHaveAttribute("href", "/projects/clean-water-boreholes#tank");
    expect(story.getByText("Your $6.00")).toBeVisible();
    expect(story.getByText(/\$1\.95 kept Jara running/)).toBeVisible();
  });

  test("a statement of any period is downloaded, as a page where the server makes no PDF", async () => {
    const { api, user } = openAsMember(aTrace());
    api.answer(
      "GET /user/statement.pdf?from=2026-01-01&to=2026-11-21",
      withStatus(422, { message: "No.", code: "pdf_not_installed" }),
    );
    api.answer("GET /user/statement.html?from=2026-01-01&to=2026-11-21", "<p>Statement</p>");
    const asked = () => api.calls.map(({ path }) => path).filter((path) => path.includes("statement"));
    await user.click(await screen.findByRole("button", { name: "Download the statement" }));
    await waitFor(() =>
      expect(asked()).toEqual([
        "/user/statement.pdf?from=2026-01-01&to=2026-11-21",
        "/user/statement.html?from=2026-01-01&to=2026-11-21",
      ]),
    );
    expect(await screen.findByText(/^This site makes no PDF files\./)).toBeVisible();
    await user.clear(screen.getByLabelText("To"));
    await user.click(screen.getByRole("button", { name: "Download the statement" }));

    expect(await screen.findByText("The end comes before the beginning.")).toBeVisible();
    expect(asked()).toHaveLength(2);
  });

  test("the link of an email chooses the days of the statement", async () => {
    openAsMember(aTrace(), "/my-impact?from=2025-01-01&to=2025-12-31");

    expect(await screen.findByLabelText("From")).toHaveValue("2025-01-01");
    expect(screen.getByLabelText("To")).toHaveValue("2025-12-31");
  });

  test("a visitor can follow one contribution", async () => {
    fakeApi({
      "GET /user/get-proposals#open": [],
      "GET /config": aConfig(),
      "GET /projects": [aProject()],
      "GET /projects/clean-water-boreholes": aStory(),
      "GET /sample-trace": {
        trace: {
          month: "2026-05",
          cents: 1000,
          runningCents: 200,
          paid: [aPaidShare("expenses:projects:clean-water-boreholes", "Clean water boreholes", 800)],
        },
      },
    });
    renderApp("/my-impact");

    const sample = within(await screen.findByRole("region", { name: "Follow one $10" }));
    expect(sample.getByText(/A member gave \$10 in May 2026\. We don't say who\./)).toBeVisible();
    expect(await sample.findByText("Borehole drilled")).toBeVisible();
    expect(sample.getByText("$8.00 of it did this")).toBeVisible();
    expect(sample.getByRole("link", { name: "Join, and follow your own" })).toHaveAttribute(
      "href",
      "/join",
    );
    await expectNoBarriers();
  });

  test("a visitor and an expired session are asked to sign in", async () => {
    openAsMember(withStatus(401, { message: "Sign in again." }));

    expect(await screen.findByText("Sign in to see where your own money went.")).toBeVisible();
    expect(within(screen.getByRole("main")).getByRole("link", { name: "Sign in" })).toHaveAttribute(
      "href",
      "/login",
    );
    expect(readToken()).toBeNull();
    await expectNoBarriers();
  });
});
