import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { aProject, publicAnswers, someStats } from "@/testing/builders";
import { fakeApi, refusal } from "@/testing/fake-api";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";

describe("home", () => {
  test("the headline and every figure come from the server", async () => {
    fakeApi(publicAnswers());
    renderApp("/");

    expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent(
      "$1457 disbursed. 4 lives impacted.",
    );
    expect(await screen.findByText("64 active changemakers")).toBeVisible();
    expect(await screen.findByText("$28,820")).toBeVisible();
    expect(
      await screen.findByRole("img", {
        name: "A cloth of 100 squares. 64 are woven, one for each active changemaker.",
      }),
    ).toBeVisible();
    expect(await screen.findByText("How much do I need to give?")).toBeVisible();
    expect(document.title).toBe("Monthly giving, decided together — Jara");
    await expectNoBarriers();
  });

  test("a figure that did not load is a dash, never 0, and can be asked for again", async () => {
    const api = fakeApi({ ...publicAnswers(), "GET /stats": refusal(503, "Busy.") });
    const { user } = renderApp("/");
    const retry = await screen.findByRole("button", { name: "Try again" });

    expect(await screen.findByText("Busy.", { selector: ".Toastify *" })).toBeVisible();
    expect(screen.getAllByText("—")).toHaveLength(5);
    expect(screen.queryByText(/of the first/)).toBeNull();

    api.answer("GET /stats", someStats());
    await user.click(retry);

    expect(await screen.findByText("$3,214")).toBeVisible();
  });

  test("a visitor is asked to join, a member is led to the dashboard", async () => {
    fakeApi(publicAnswers());
    localStorage.setItem("token", "a.b.c");
    renderApp("/");

    expect(await screen.findByRole("link", { name: "Go to my dashboard" })).toHaveAttribute(
      "href",
      "/dashboard",
    );
    expect(screen.getByRole("button", { name: "Sign Out" })).toBeVisible();
  });
});

describe("header", () => {
  test("signing out clears the token and the vote status and leads home", async () => {
    const api = fakeApi({ ...publicAnswers(), "POST /user/logout": { success: true } });
    localStorage.setItem("token", "a.b.c");
    localStorage.setItem("user_status", "{}");
    const { user } = renderApp("/team");
    await user.click(await screen.findByRole("button", { name: "Sign Out" }));

    expect(localStorage.getItem("token")).toBeNull();
    expect(localStorage.getItem("user_status")).toBeNull();
    expect(currentAddress()).toBe("/");
    expect(api.calls).toContainEqual(
      expect.objectContaining({
        path: "/user/logout",
        headers: expect.objectContaining({ token: "a.b.c" }),
      }),
    );
  });

  test("one menu is open at a time, and Esc gives the focus back", async () => {
    fakeApi(publicAnswers());
    const { user } = renderApp("/faqs");
    const nav = within(await screen.findByRole("navigation", { name: "Main" }));
    await user.click(nav.getByRole("button", { name: "About" }));
    await user.click(nav.getByRole("button", { name: "Impact" }));

    expect(nav.getByRole("button", { name: "About" })).toHaveAttribute("aria-expanded", "false");
    expect(nav.getByRole("link", { name: /Impact report/ })).toBeVisible();

    await user.keyboard("{Escape}");

    expect(nav.getByRole("button", { name: "Impact" })).toHaveFocus();
  });

  test("the drawer holds the whole navigation and closes on Esc", async () => {
    fakeApi(publicAnswers());
    const { user } = renderApp("/faqs");
    await user.click(await screen.findByRole("button", { name: "Open menu" }));
    const drawer = await screen.findByRole("dialog", { name: "Menu" });

    expect(within(drawer).getByRole("link", { name: "Finances" })).toHaveAttribute(
      "href",
      "/ledger",
    );

    await user.keyboard("{Escape}");

    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("projects", () => {
  test("six cards at first, three more for each press, and the focus on the first new one", async () => {
    const many = Array.from({ length: 9 }, (_, place) =>
      aProject({ id: `p${place}`, slug: `p-${place}`, title: `Project ${place + 1}` }),
    );
    fakeApi({ ...publicAnswers(), "GET /projects": many });
    const { user } = renderApp("/projects");

    expect(await screen.findByText("Showing 6 of 9")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Load More Projects" }));

    expect(screen.getByText("Showing 9 of 9")).toBeVisible();
    expect(screen.getByRole("link", { name: /Project 7/ })).toHaveFocus();
    expect(screen.queryByRole("button", { name: "Load More Projects" })).toBeNull();
    await expectNoBarriers();
  });

  test("the tab leads to the grants", async () => {
    fakeApi(publicAnswers());
    const { user } = renderApp("/projects");
    const tabs = within(await screen.findByRole("navigation", { name: "Projects and grants" }));
    await user.click(tabs.getByRole("link", { name: "Grants" }));

    expect(await screen.findByRole("heading", { level: 1, name: "GRANTS" })).toBeVisible();
    expect(await screen.findByText("$4,750")).toBeVisible();
    expect(screen.getByRole("main")).toHaveFocus();
    await expectNoBarriers();
  });

  test("an empty list says so and leads to the vote", async () => {
    fakeApi({ ...publicAnswers(), "GET /projects": [] });
    renderApp("/projects");

    expect(await screen.findByText("No project has been funded yet.")).toBeVisible();
  });

  test("a project shows its money, its milestones and the words from the field", async () => {
    fakeApi(publicAnswers());
    const { user } = renderApp("/projects/clean-water-boreholes");

    expect(
      await screen.findByRole("heading", { level: 1, name: "Clean water boreholes" }),
    ).toBeVisible();
    expect(screen.getByText("$8,090")).toBeVisible();
    expect(screen.getByText("1 of 2 milestones complete")).toBeVisible();
    expect(screen.getByRole("link", { name: "Join to contribute" })).toHaveAttribute(
      "href",
      "/join",
    );
    expect(screen.getByRole("link", { name: "Donate to Jara" })).toHaveAttribute("href", "/donate");

    await user.click(screen.getByRole("button", { name: "Expand story" }));

    expect(screen.getByRole("button", { name: "Collapse story" })).toHaveAttribute(
      "aria-expanded",
      "true",
    );
    await expectNoBarriers();
  });

  test("a project that nobody knows is a page that is not there", async () => {
    fakeApi(publicAnswers());
    renderApp("/projects/nothing");

    expect(
      await screen.findByRole("heading", { level: 1, name: "This thread comes loose here." }),
    ).toBeVisible();
  });
});

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

  test("the team is listed with links to its profiles", async () => {
    fakeApi(publicAnswers());
    renderApp("/team");

    expect(await screen.findByRole("heading", { name: "Efua Ɔfɔri" })).toBeVisible();
    expect(screen.getByRole("link", { name: /LinkedIn profile of Efua/ })).toBeVisible();
    await expectNoBarriers();
  });

  test("a team that did not load can be asked for again", async () => {
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

  test("the about page has the spec's sections, live figures and the buttons of the design", async () => {
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

  test("the impact report shows a period and the others to choose from", async () => {
    const api = fakeApi({
      ...publicAnswers(),
      "GET /impact?year=2025": publicAnswers()["GET /impact"],
    });
    const { user } = renderApp("/impact");

    expect(await screen.findByRole("heading", { name: "October 2026" })).toBeVisible();
    expect(screen.getByText("38 yes, 7 no, of 58 changemakers")).toBeVisible();
    await expectNoBarriers();
    await user.selectOptions(
      screen.getByRole("combobox", { name: "Show the report of" }),
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
  ])("%s fills in what the server knows and shows the rest as blanks", async (address, title) => {
    fakeApi(publicAnswers());
    renderApp(address);

    expect(await screen.findByRole("heading", { level: 1, name: title })).toBeVisible();
    expect((await screen.findAllByText(/Jara Foundation/)).length).toBeGreaterThan(0);
    expect(screen.getByText(/This text has blanks/)).toBeVisible();
  });

  test("an address that leads nowhere has two ways out", async () => {
    fakeApi(publicAnswers());
    renderApp("/nowhere");

    expect(await screen.findByText("Error 404")).toBeVisible();
    expect(screen.getByRole("link", { name: "See projects" })).toHaveAttribute("href", "/projects");
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

describe("share", () => {
  test("the dialog opens above the home page, and closing it leads home", async () => {
    fakeApi(publicAnswers());
    const { user } = renderApp("/share");
    const dialog = await screen.findByRole("dialog", { name: "Spread the word" });

    expect(within(dialog).getByRole("textbox", { name: "Message" })).toHaveValue(
      "Take a look @JoinJara - Diasporans contributing financially to sustainable development efforts around the world.: https://jara.example",
    );
    expect(within(dialog).getByRole("button", { name: "X" })).toHaveFocus();
    await expectNoBarriers();
    await user.keyboard("{Escape}");

    await waitFor(() => expect(currentAddress()).toBe("/"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("X and Facebook open in a popup of 550 by 420, WhatsApp in a new tab", async () => {
    fakeApi(publicAnswers());
    const open = vi.spyOn(window, "open").mockReturnValue(null);
    const { user } = renderApp("/share");
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "X" }));
    await user.click(dialog.getByRole("button", { name: "Facebook" }));
    await user.click(dialog.getByRole("button", { name: "WhatsApp" }));

    const size = expect.stringContaining("width=550,height=420");
    expect(open).toHaveBeenNthCalledWith(
      1,
      expect.stringContaining("https://x.com/"),
      "share",
      size,
    );
    expect(open).toHaveBeenNthCalledWith(
      2,
      expect.stringContaining("https://www.facebook.com/"),
      "share",
      size,
    );
    expect(open).toHaveBeenNthCalledWith(
      3,
      expect.stringContaining("https://wa.me/"),
      "_blank",
      "noopener",
    );
  });

  test("a copy says so for two seconds; a copy that failed says that", async () => {
    fakeApi(publicAnswers());
    const { user } = renderApp("/share");
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Copy" }));

    expect(await dialog.findByRole("button", { name: "Copied!" })).toBeVisible();
    await waitFor(() => expect(dialog.getByRole("button", { name: "Copy" })).toBeVisible(), {
      timeout: 2600,
    });

    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("blocked"));
    await user.click(dialog.getByRole("button", { name: "Copy" }));

    expect(await screen.findByText(/Failed to copy text/)).toBeVisible();
  });
});

describe("newsletter", () => {
  test("the form asks for an address, then says where the link went", async () => {
    const api = fakeApi({ ...publicAnswers(), "POST /newsletter": { success: true } });
    const { user } = renderApp("/faqs");
    const footer = within(await screen.findByRole("contentinfo"));
    await user.click(footer.getByRole("button", { name: "Join" }));

    expect(footer.getByRole("textbox", { name: "Email address" })).toBeInvalid();

    await user.type(footer.getByRole("textbox", { name: "Email address" }), "amara@example.org");
    await user.click(footer.getByRole("button", { name: "Join" }));

    expect(
      await footer.findByText(/Almost there. Open the link that we sent to amara@example.org/),
    ).toBeVisible();
    expect(api.calls).toContainEqual(
      expect.objectContaining({ path: "/newsletter", body: { email: "amara@example.org" } }),
    );
  });

  test.each([
    ["/newsletter/confirm", "Confirm my subscription", "You are on the list."],
    ["/newsletter/unsubscribe", "Unsubscribe", "You will not hear from us again."],
  ])("%s acts on a press, not on opening", async (address, button, done) => {
    const api = fakeApi({ ...publicAnswers(), [`POST ${address}`]: { success: true } });
    const { user } = renderApp(`${address}?code=abc`);
    await screen.findByRole("button", { name: button });

    expect(api.calls.some((call) => call.method === "POST")).toBe(false);

    await user.click(screen.getByRole("button", { name: button }));

    expect(await screen.findByRole("heading", { name: done })).toBeVisible();
    expect(api.calls).toContainEqual(
      expect.objectContaining({ path: address, body: { code: "abc" } }),
    );
  });

  test("a link without its code says what to do, a used one what the server says", async () => {
    fakeApi({
      ...publicAnswers(),
      "POST /newsletter/confirm": refusal(422, "This link has been used."),
    });
    renderApp("/newsletter/confirm");

    expect(await screen.findByText("This link is not complete.")).toBeVisible();
  });
});
