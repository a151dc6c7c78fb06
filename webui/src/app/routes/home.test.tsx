import { screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { aProject, publicAnswers, someStats } from "@/testing/builders";
import { fakeApi, refusal } from "@/testing/fake-api";
import { currentAddress, expectNoBarriers, renderApp } from "@/testing/render-app";

describe("home", () => {
  test("the headline and every figure come from the server", async () => {
    fakeApi(publicAnswers());
    renderApp("/");

    const headline = "$1457 disbursed. 4 lives impacted.";
    expect(await screen.findByRole("heading", { level: 1, name: headline })).toBeVisible();
    expect(await screen.findByText("64 active changemakers")).toBeVisible();
    const live = /\$21,000 from gifts and grants; of the \$28,820 paid out, members voted on \$13,147\.$/;
    expect(screen.getByText(live)).toBeVisible();
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

  test.each([
    [2_882_000, "$28,820 paid out. Members voted on $13,147 of it."],
    [0, "Monthly giving, decided together."],
  ])("without claims, the headline says what the books say: %i cents paid", async (paid, name) => {
    const stats = someStats({ claims: [], cashDeployedCents: paid });
    fakeApi({ ...publicAnswers(), "GET /stats": stats });
    renderApp("/");

    expect(await screen.findByRole("heading", { level: 1, name })).toBeVisible();
    const given = "From the open books: $13,220 came from monthly pledges, $21,000 from gifts and grants.";
    expect(screen.getByText(given)).toBeVisible();
  });

  test("one project stands beneath the headline, a real one first, and is not shown twice", async () => {
    const sample = aProject({ title: "Wells", slug: "wells", sample: true });
    const done = aProject({ title: "Roof", slug: "roof", sample: false, status: "Complete" });
    const going = aProject({ title: "Reef", slug: "reef", sample: false });
    const projects = [sample, done, going].map((project) => ({ ...project, id: project.slug }));
    fakeApi({ ...publicAnswers(), "GET /projects": projects });
    renderApp("/");

    const [first, ...others] = await screen.findAllByRole("heading", { name: /Reef|Roof|Wells/ });
    expect([first?.tagName, ...others.map((one) => one.textContent)]).toEqual(["H2", "Roof", "Wells"]);
    expect(first).toHaveTextContent("Reef");
    expect(screen.getByRole("link", { name: "See where the money went" })).toHaveAttribute("href", "/projects/reef");
    expect(screen.getByText("$8,090 spent of $8,700 planned")).toBeVisible();
  });

  test("a project that has spent nothing does not say that money went", async () => {
    const planned = aProject({ title: "Reef", slug: "reef", sample: false, capitalUsedCents: 0 });
    fakeApi({ ...publicAnswers(), "GET /projects": [planned] });
    renderApp("/");

    expect(await screen.findByText("$0 spent of $8,700 planned")).toBeVisible();
    expect(screen.getByRole("link", { name: "View project" })).toHaveAttribute("href", "/projects/reef");
  });

  test("a figure that did not load is a dash, never 0, and can be retried", async () => {
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

  test("a visitor sees Join, a member a link to the dashboard", async () => {
    fakeApi(publicAnswers());
    localStorage.setItem("token", "a.b.c");
    renderApp("/");

    expect(await screen.findByRole("link", { name: "Go to my dashboard" })).toHaveAttribute(
      "href",
      "/dashboard",
    );
    expect(screen.getByRole("button", { name: "Sign Out" })).toBeVisible();
  });

  test("the next free square is offered to visitors only", async () => {
    fakeApi(publicAnswers());
    const cloth = { name: /^A cloth of 100 squares/ };
    const visitor = renderApp("/");
    expect(await screen.findByRole("img", cloth)).toHaveTextContent("you");
    visitor.unmount();
    localStorage.setItem("token", "a.b.c");
    renderApp("/");
    expect(await screen.findByRole("img", cloth)).not.toHaveTextContent("you");
  });
});

describe("header", () => {
  test("signing out clears the token and the vote status and redirects home", async () => {
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

  test("the foot of each page leads to the votes", async () => {
    fakeApi(publicAnswers());
    renderApp("/faqs");
    const foot = within(await screen.findByRole("contentinfo"));

    expect(foot.getByRole("link", { name: "Proposals" })).toHaveAttribute("href", "/proposals");
  });
});
