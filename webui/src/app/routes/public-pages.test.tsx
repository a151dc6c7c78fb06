import { screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { aFaq, aTeamMember, publicAnswers } from "@/testing/builders";
import { anImpactReport } from "@/testing/reports";
import { fakeApi, refusal } from "@/testing/fake-api";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";

describe("pages that say how things are", () => {
  test("donations add up to the metric", async () => {
    fakeApi(publicAnswers());
    renderApp("/donations");

    expect(await screen.findByText("Total of 2 donations")).toBeVisible();
    expect(screen.getAllByText("$9,547")).toHaveLength(2);
    expect(screen.getByRole("link", { name: /^Learn more/ })).toHaveAttribute(
      "href",
      "/how-jara-works",
    );
    await expectNoBarriers();
  });

  test("without donations nothing is said about their threads", async () => {
    fakeApi({ ...publicAnswers(), "GET /donations": { count: 0, totalCents: 0, donations: [] } });
    renderApp("/donations");

    expect(await screen.findByText("No donations have been made yet.")).toBeVisible();
    expect(screen.queryByText(/Each thread/)).toBeNull();
  });

  test("the team is listed with links to its profiles", async () => {
    fakeApi(publicAnswers());
    renderApp("/team");

    expect(await screen.findByRole("heading", { name: "Efua Ɔfɔri" })).toBeVisible();
    expect(screen.getByRole("link", { name: /LinkedIn profile of Efua/ })).toBeVisible();
    await expectNoBarriers();
  });

  test.each([
    ["/faqs", "GET /faqs", { ...aFaq(), original: { question: "Combien donner ?", answer: "Cinq dollars." } }, "Cinq dollars."],
    ["/", "GET /faqs", { ...aFaq(), original: { answer: "Cinq dollars." } }, "Cinq dollars."],
    ["/team", "GET /team", { ...aTeamMember(), original: { role: "Trésorière" } }, "Trésorière"],
    ["/", "GET /team", { ...aTeamMember(), original: { role: "Trésorière" } }, "Trésorière"],
    ["/why-jara-exists", "GET /roadmap", { id: "a", title: "Launch", status: "Complete", original: { title: "Lancement" } }, "Lancement"],
  ])("on %s the original of a translated text of %s is one press away", async (address, call, item, original) => {
    fakeApi({ ...publicAnswers(), [call]: [{ ...item, language: "fr" }] });
    const { user } = renderApp(address);
    await user.click(await screen.findByText("Show original"));

    expect(screen.getByText(original)).toBeVisible();
    expect(screen.getByText(original).closest("[lang]")).toHaveAttribute("lang", "fr");
  });

  test.each(["projects", "grants", "donations"])("an empty /%s leads to the proposals", async (kind) => {
    const nothing = kind === "donations" ? { count: 0, totalCents: 0, donations: [] } : [];
    fakeApi({ ...publicAnswers(), [`GET /${kind}`]: nothing });
    renderApp(`/${kind}`);

    expect(await screen.findByRole("link", { name: "See proposals" })).toHaveAttribute("href", "/proposals");
  });

  test("a team that did not load can be retried", async () => {
    const api = fakeApi({ ...publicAnswers(), "GET /team": refusal(503, "Busy.") });
    const { user } = renderApp("/team");
    await screen.findByText("The team did not load.");
    api.answer("GET /team", publicAnswers()["GET /team"]);
    await user.click(screen.getByRole("button", { name: "Try again" }));

    expect(await screen.findByRole("heading", { name: "Efua Ɔfɔri" })).toBeVisible();
  });

  test("the questions open, and lead to a person", async () => {
    fakeApi(publicAnswers());
    renderApp("/faqs");

    expect(await screen.findByText("The minimum pledge is $5 a month.")).toBeVisible();
    expect(await screen.findByRole("link", { name: "Contact support" })).toHaveAttribute(
      "href",
      "mailto:hello@jara.example",
    );
    expect(
      screen.getByRole("img", { name: /80 to projects, 7 to staff, 9 to marketing, 4 to other/ }),
    ).toBeVisible();
    await expectNoBarriers();
  });

  test("the about page has its sections and buttons, and live figures", async () => {
    fakeApi(publicAnswers());
    renderApp("/why-jara-exists");

    expect(await screen.findByRole("heading", { level: 1, name: "Why Jara exists" })).toBeVisible();
    for (const name of [
      "The JARA Solution",
      "Our Pillars",
      "Where we are today",
      "Acts | Roadmap",
      "Spread the word",
    ]) {
      expect(screen.getByRole("heading", { name })).toBeVisible();
    }
    expect(await screen.findByText("64 of 100")).toBeVisible();
    expect(screen.getByRole("link", { name: "Join contributors" })).toHaveAttribute(
      "href",
      "/join",
    );
    expect(screen.getByRole("link", { name: "View ledger" })).toHaveAttribute("href", "/ledger");
    expect(screen.getByRole("link", { name: "View projects" })).toHaveAttribute(
      "href",
      "/projects",
    );
    await expectNoBarriers();
  });

  test("how Jara works names the split that is in force", async () => {
    fakeApi(publicAnswers());
    renderApp("/how-jara-works");

    expect(
      await screen.findByText(/80% to projects, 7% staff, 9% marketing, 4% other costs/),
    ).toBeVisible();
    await expectNoBarriers();
  });

  test("how Jara works names the amounts and the rule of a vote", async () => {
    fakeApi(publicAnswers());
    renderApp("/how-jara-works");

    expect(
      await screen.findByText(/Choose \$5, \$10, \$20 or any amount up to \$999/),
    ).toBeVisible();
    expect(await screen.findAllByText(/passes when 50% or more of changemakers vote yes/)).toHaveLength(2);
  });

  test("the impact report shows payments in another currency in both", async () => {
    const sent = { currency: "KES", amountMinor: 46_440_000, text: "KES 464,400" };
    const foreign = { ...sent, rate: "129.00" };
    const account = "expenses:projects:wells";
    const paid = { date: "2026-11-04", project: "wells", title: "Wells", cents: 360_000 };
    const payout = { ...paid, account, foreign };
    const abroad = { ...sent, cents: 360_000 };
    const report = anImpactReport({ disbursements: [payout], paidAbroad: [abroad] });
    fakeApi({ ...publicAnswers(), "GET /impact": report });
    renderApp("/impact");

    expect(await screen.findByText("$3,600.00 = KES 464,400 at 129.00")).toBeVisible();
    expect(screen.getByText("Of this, in KES")).toBeVisible();
    expect(screen.getByText("$3,600.00 = KES 464,400")).toBeVisible();
  });

  test("the impact report shows a period and the others to choose from", async () => {
    const api = fakeApi({
      ...publicAnswers(),
      "GET /impact?year=2025": publicAnswers()["GET /impact"],
    });
    const { user } = renderApp("/impact");

    expect(await screen.findByRole("heading", { name: "October 2026" })).toBeVisible();
    expect(screen.getByText("38 yes, 7 no, out of 58 changemakers")).toBeVisible();
    await expectNoBarriers();
    await user.selectOptions(
      screen.getByRole("combobox", { name: "Show the report for" }),
      "Year 2025",
    );

    await waitFor(() => expect(api.calls.map((call) => call.path)).toContain("/impact?year=2025"));
    expect(currentAddress()).toBe("/impact?period=2025");
  });

  test("before the first month is over there is no report", async () => {
    fakeApi({ ...publicAnswers(), "GET /impact": refusal(404, "None yet.") });
    renderApp("/impact");

    expect(await screen.findByText("There is no report yet.")).toBeVisible();
  });

  test.each([
    ["/terms", "Terms"],
    ["/privacy", "Privacy"],
  ])("%s shows the text that the server has", async (address, title) => {
    const html = `<h1>${title}</h1><p>Between you and the Jara Foundation.</p>`;
    fakeApi({ ...publicAnswers(), [`GET /legal${address}`]: { html } });
    renderApp(address);

    expect(await screen.findByRole("heading", { level: 1, name: title })).toBeVisible();
    expect(screen.getByText("Between you and the Jara Foundation.")).toBeVisible();
  });

  test("the 404 page has two links", async () => {
    fakeApi(publicAnswers());
    renderApp("/nowhere");

    expect(await screen.findByText("Error 404")).toBeVisible();
    expect(screen.getByRole("link", { name: "See projects" })).toHaveAttribute("href", "/projects");
    await expectNoBarriers();
  });

  test("an entry that is not there is named, and leads to the ledger", async () => {
    fakeApi({ ...publicAnswers(), "GET /ledger/entries/none": refusal(404, "No.") });
    renderApp("/ledger/entries/none");

    expect(await screen.findByText("There is no entry none")).toBeVisible();
    expect(screen.getByRole("heading", { level: 1 })).toBeInTheDocument();
    await expectNoBarriers();
  });
});

describe("payment success", () => {
  test.each([
    ["25", "You successfully sent $25"],
    ["12.5", "You successfully sent $12.50"],
    ["1234", "You successfully sent $1,234"],
  ])("an amount of %s is named", async (amount, sentence) => {
    fakeApi(publicAnswers());
    renderApp(`/payment-success?amount=${amount}`);

    expect(await screen.findByRole("heading", { name: "Thank you!" })).toBeVisible();
    expect(screen.getByRole("main")).toHaveTextContent(sentence);
    expect(screen.getByRole("link", { name: "Proceed to Dashboard" })).toHaveAttribute(
      "href",
      "/dashboard",
    );
  });

  test.each(["", "abc", "1e9", "-5", "<b>5", "1.234"])(
    "an amount of %o is left out",
    async (amount) => {
      fakeApi(publicAnswers());
      renderApp(`/payment-success?amount=${encodeURIComponent(amount)}`);

      expect(await screen.findByRole("heading", { name: "Thank you!" })).toBeVisible();
      expect(screen.queryByText(/You successfully sent/)).toBeNull();
    },
  );
});
