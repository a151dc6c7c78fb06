import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { aProject, publicAnswers } from "@/testing/builders";
import { fakeApi } from "@/testing/fake-api";
import { expectNoBarriers, renderApp } from "@/testing/render-app";

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
    await waitFor(() => expect(screen.getByRole("link", { name: /Project 7/ })).toHaveFocus());
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

    expect(await screen.findByText("No projects have been funded yet.")).toBeVisible();
    // A project may be funded without a vote.
    expect(screen.getByRole("main")).not.toHaveTextContent(/will vote|voted/);
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

  test("in a sample only a step that is done has a drawn picture", async () => {
    fakeApi({
      ...publicAnswers(),
      "GET /projects/clean-water-boreholes": aProject({ sample: true }),
    });
    renderApp("/projects/clean-water-boreholes");

    const steps = within(await screen.findByRole("region", { name: "Milestones" }));
    const drawn = steps.getAllByRole("listitem").map((step) => step.querySelector("figure") !== null);
    expect(drawn).toEqual([true, false]);
  });

  test("a project's parts come in the order of a phone, so that none pushes another down", async () => {
    fakeApi(publicAnswers());
    renderApp("/projects/clean-water-boreholes");
    await screen.findByText("$8,090");

    const { innerHTML } = screen.getByRole("main");
    const places = ["<img", "</h1>", "$8,090", 'id="story"'].map((part) => innerHTML.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  test("an unknown project shows the 404 page", async () => {
    fakeApi(publicAnswers());
    renderApp("/projects/nothing");

    expect(
      await screen.findByRole("heading", { level: 1, name: "We can't find this page." }),
    ).toBeVisible();
  });
});
