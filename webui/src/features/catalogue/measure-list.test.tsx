import { render, screen } from "@testing-library/react";
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
    ...changes,
  };
}

describe("measures", () => {
  // The server's date.
  beforeEach(() => {
    fakeApi({ "GET /config": aConfig() });
  });

  test("show target, actual value, day and the cost of one", () => {
    render(<MeasureList measures={[aResult()]} />);
    expect(screen.getByText("60 of 110 homes")).toBeVisible();
    expect(screen.getByText(/Before: 10\. Measured on .*\$20\.00 for each/)).toBeVisible();
    const bar = screen.getByRole("progressbar", { name: "Homes with water" });
    expect(bar).toHaveAttribute("aria-valuenow", "50");
  });

  test("say that nothing was measured, and that it is late", () => {
    const late = aResult({ actual: null, measuredOn: null, state: "overdue", costPerUnitCents: null });
    render(<MeasureList measures={[late]} />);
    expect(screen.getByText("Overdue")).toBeVisible();
    expect(screen.getByText("Not measured yet; the target is 110 homes.")).toBeVisible();
    expect(screen.getByText(/Nobody has measured it since its day\./)).toBeVisible();
  });

  test("say so where the target was missed, or less is better", () => {
    const less = aResult({ baseline: 190, target: 15, actual: 102.5, state: "missed" });
    render(<MeasureList measures={[less]} />);
    expect(screen.getByText("Missed")).toBeVisible();
    expect(screen.getByText("102.5 homes, target 15")).toBeVisible();
    expect(screen.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50");
  });
});
