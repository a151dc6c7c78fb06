import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { aProject, publicAnswers } from "@/testing/builders";
import { fakeApi } from "@/testing/fake-api";
import { renderApp } from "@/testing/render-app";

const HASH = "ab".repeat(32);

function show(changes: Record<string, unknown>) {
  const address = "GET /projects/clean-water-boreholes";
  fakeApi({ ...publicAnswers(), [address]: aProject(changes) });
  renderApp("/projects/clean-water-boreholes");
}

describe("the money of a project", () => {
  test("goes from the vote over promise and payments to the milestones, and adds up", async () => {
    show({
      vote: { slug: "wells", title: "Wells for three villages" },
      commitment: {
        goalCents: 870_000,
        heldCents: 61_000,
        paidCents: 809_000,
        releasedCents: 0,
        releases: [],
        queuedCents: 0,
      },
      paidCents: 809_000,
      payouts: [
        { entry: "a", index: 4, date: "2026-03-12", cents: 810_000, proposal: "wells" },
        { entry: "b", index: 9, date: "2026-05-30", cents: -1_000, proposal: "wells" },
      ],
    });
    const trail = await screen.findByRole("region", { name: "Where the money went" });

    expect(within(trail).getByRole("link", { name: "Wells for three villages" })).toHaveAttribute(
      "href",
      "/proposals/wells",
    );
    expect(trail).toHaveTextContent("$8,700.00");
    expect(trail).toHaveTextContent("$610.00 set aside for the next steps");
    expect(trail).toHaveTextContent("returned−$10.00");
    expect(trail).toHaveTextContent("Total paid$8,090.00");
    expect(within(trail).getByRole("link", { name: /1 of 2 milestones/ })).toHaveAttribute(
      "href",
      "#milestones",
    );
  });

  test("shows payments in another currency in both, and their sum", async () => {
    const foreign = { text: "KES 464,400", rate: "129.00" };
    show({
      commitment: {
        goalCents: 870_000,
        heldCents: 0,
        paidCents: 870_000,
        releasedCents: 0,
        releases: [],
        queuedCents: 0,
      },
      paidCents: 870_000,
      payouts: [
        { entry: "a", index: 4, date: "2026-11-04", cents: 360_000, foreign, proposal: "wells" },
        { entry: "b", index: 9, date: "2026-11-05", cents: 510_000, proposal: "wells" },
      ],
      paidAbroad: [{ currency: "KES", text: "KES 464,400", cents: 360_000 }],
    });
    const trail = await screen.findByRole("region", { name: "Where the money went" });

    expect(trail).toHaveTextContent("$3,600.00 = KES 464,400 at 129.00");
    expect(trail).toHaveTextContent("Of this, in KES$3,600.00 = KES 464,400");
  });

  test("says when nothing has been paid, and nothing without a vote", async () => {
    show({
      commitment: {
        goalCents: 500,
        heldCents: 0,
        paidCents: 0,
        releasedCents: 100,
        releases: [
          { day: "2026-06-01", cents: 100, reason: "Cheaper pump", signers: ["SHA256:a"], leaf: 9 },
        ],
        queuedCents: 400,
      },
    });
    const trail = await screen.findByRole("region", { name: "Where the money went" });

    expect(trail).toHaveTextContent("$4.00 still to be raised");
    expect(trail).toHaveTextContent("$1.00 returned to the projects fund");
    expect(trail).toHaveTextContent(/\$1\.00 released on .*1.*: Cheaper pump/);
    expect(trail).toHaveTextContent("Line 9 of the public log, signed with: SHA256:a");
    expect(trail).toHaveTextContent("Nothing has been paid out yet.");
  });

  test("is hidden without a commitment", async () => {
    show({});
    await screen.findByRole("heading", { level: 1, name: "Clean water boreholes" });

    expect(screen.queryByRole("region", { name: "Where the money went" })).toBeNull();
  });

  test("a milestone shows its evidence with its hash", async () => {
    const milestone = {
      id: "a",
      date: "2026-03-12",
      title: "Site survey",
      costCents: 64_000,
      paidCents: 64_000,
      images: [],
      completed: true,
      evidence: [{ path: `/media/${HASH}.pdf`, sha256: HASH, isImage: false }],
    };
    show({ milestones: [milestone] });

    expect(await screen.findByRole("link", { name: "Document" })).toHaveAttribute(
      "href",
      `/media/${HASH}.pdf`,
    );
    expect(screen.getByText(HASH)).not.toBeVisible();
    fireEvent.click(screen.getByText("Proof"));
    expect(screen.getByText(HASH)).toBeVisible();
    expect(screen.getByText(/\$640\.00 paid/)).toBeVisible();
  });
});
