import { cleanup, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import type { MeasuredResult } from "@/api/schema";
import { aConfig } from "@/testing/builders";
import { fakeApi } from "@/testing/fake-api";
import { MeasureList } from "./measure-list";

function aResult(changes: Partial<MeasuredResult> = {}): MeasuredResult {
  return {
    id: "homes",
    name: "Homes with water",
    unit: "homes",
    baseline: 10,
    target: 110,
    dueOn: "2026-12-31",
    actual: 60,
    measuredOn: "2026-11-20",
    state: "open",
    costPerUnitCents: 2000,
    note: "",
    ...changes,
  };
}

function show(changes: Partial<MeasuredResult>): void {
  render(<MeasureList measures={[aResult(changes)]} written={{}} />);
}

describe("measures", () => {
  // The server's date.
  beforeEach(() => {
    fakeApi({ "GET /config": aConfig() });
  });

  test("show target, actual value, day and the cost of one", () => {
    show({ note: "Counted house by house." });
    expect(screen.getByText("60 of 110 homes")).toBeVisible();
    expect(screen.getByText("Counted house by house.")).toBeVisible();
    expect(
      screen.getByText(
        /Before: 10\. Measured on .* Cost per unit: \$20\.00, from what the project was paid for 50 homes more than before\.$/,
      ),
    ).toBeVisible();
    const bar = screen.getByRole("progressbar", { name: "Homes with water" });
    expect(bar).toHaveAttribute("aria-valuenow", "50");
  });

  test("say that nothing was measured, and that it is late", () => {
    show({ actual: null, measuredOn: null, state: "overdue", costPerUnitCents: null });
    expect(screen.getByText("Overdue")).toBeVisible();
    expect(screen.getByText("Not measured yet; the target is 110 homes.")).toBeVisible();
    expect(screen.getByText(/Nobody has measured it since its day\./)).toBeVisible();
  });

  test("say so where the target was missed, or less is better", () => {
    show({ baseline: 190, target: 15, actual: 102.5, state: "missed" });
    expect(screen.getByText("Missed")).toBeVisible();
    expect(screen.getByText("102.5 homes, target 15")).toBeVisible();
    expect(screen.getByText(/paid for 87\.5 homes less than before\.$/)).toBeVisible();
    expect(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50");
  });

  test("name no unit twice where there is none, and no cost that says nothing", () => {
    show({ unit: "" });
    expect(screen.getByText(/paid for 50 more than before\.$/)).toBeVisible();
    expect(screen.getByText("60 of 110")).toBeVisible();
    cleanup();
    show({ costPerUnitCents: null });
    expect(screen.queryByText(/Cost per unit/)).toBeNull();
  });

  test("are in the language of their project", () => {
    render(<MeasureList measures={[aResult({ name: "Foyers" })]} written={{ lang: "fr" }} />);
    expect(screen.getByRole("heading", { name: "Foyers" })).toHaveAttribute("lang", "fr");
  });
});
