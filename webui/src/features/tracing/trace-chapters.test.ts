import { describe, expect, test } from "vitest";
import { aMilestone } from "@/testing/builders";
import type { Paid } from "./api";
import { chaptersOf, stepsOf } from "./trace-chapters";

function paid(account: string, date: string, cents: number): Paid {
  return { account, project: account.split(":")[2] ?? "", date, cents };
}

function milestone(id: string, date: string, completed = true) {
  return aMilestone({ id, title: id, date, completed });
}

const WELLS = "expenses:projects:wells";

describe("the story of somebody's dollars", () => {
  test("what has a page comes first, then the larger part", () => {
    const all = [
      paid("expenses:grants:clinic", "2026-01-01", 900),
      paid(WELLS, "2026-01-02", 100),
      paid("expenses:projects:roof", "2026-01-03", 300),
      paid(WELLS, "2026-02-02", 50),
    ];

    expect(chaptersOf(all, ["wells", "roof"]).map(({ name, cents }) => [name, cents])).toEqual([
      ["roof", 300],
      ["wells", 150],
      ["clinic", 900],
    ]);
  });

  test("a payment belongs to the milestone of its day, the last before it, or the first", () => {
    const project = {
      milestones: [
        milestone("pump", "2026-06-01"),
        milestone("drill", "2026-03-01"),
        milestone("later", "2026-04-01", false),
      ],
    };
    const payments = [
      paid(WELLS, "2026-01-01", 1),
      paid(WELLS, "2026-03-01", 2),
      paid(WELLS, "2026-05-31", 4),
      paid(WELLS, "2026-06-02", 8),
    ];
    const [chapter] = chaptersOf(payments, ["wells"]);
    if (chapter === undefined) throw new Error("there is a chapter");

    expect(stepsOf(chapter, project).map(({ key, cents }) => [key, cents])).toEqual([
      ["drill", 7],
      ["pump", 8],
    ]);
    expect(stepsOf(chapter, null).map(({ key, milestone: done }) => [key, done])).toEqual(
      payments.map(({ date }) => [date, null]),
    );
  });
});
