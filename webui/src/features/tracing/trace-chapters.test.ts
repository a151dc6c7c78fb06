import { describe, expect, test } from "vitest";
import { aMilestone, aProject } from "@/testing/builders";
import type { Paid } from "./api";
import { chaptersOf, stepsOf, type Update } from "./trace-chapters";

function paid(account: string, date: string, cents: number): Paid {
  return { account, project: account.split(":")[2] ?? "", date, cents };
}

function milestone(id: string, date: string, completed = true) {
  return aMilestone({ id, title: id, date, completed });
}

const WELLS = "expenses:projects:wells";
const WELLS_PAGE = { slug: "wells", account: WELLS, lastStepOn: "2026-01-02" };

describe("the story of somebody's dollars", () => {
  test("what has a page comes first, the largest part before the others", () => {
    const all = [
      paid("expenses:grants:clinic", "2026-01-01", 900),
      paid(WELLS, "2026-01-02", 100),
      paid("expenses:projects:roof", "2026-01-03", 300),
      paid(WELLS, "2026-02-02", 50),
    ];

    const roof = { slug: "roof", account: "expenses:projects:roof", lastStepOn: null };
    expect(chaptersOf(all, [roof, WELLS_PAGE]).map(({ name, cents }) => [name, cents])).toEqual([
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
      updates: [],
      payouts: [],
    };
    const payments = [
      paid(WELLS, "2026-01-01", 1),
      paid(WELLS, "2026-03-01", 2),
      paid(WELLS, "2026-05-31", 4),
      paid(WELLS, "2026-06-02", 8),
    ];
    const [chapter] = chaptersOf(payments, [WELLS_PAGE]);
    if (chapter === undefined) throw new Error("there is a chapter");

    expect(stepsOf(chapter, project).map(({ key, cents }) => [key, cents])).toEqual([
      ["pump", 8],
      ["drill", 7],
    ]);
    expect(stepsOf(chapter, null).map(({ key, milestone: done }) => [key, done])).toEqual(
      payments.map(({ date }) => [date, null]).toReversed(),
    );
  });

  test("the books say which milestone was paid, and updates which they tell of", () => {
    const [chapter] = chaptersOf([{ ...paid(WELLS, "2026-06-02", 8), entry: "E" }], [WELLS_PAGE]);
    if (chapter === undefined) throw new Error("there is a chapter");
    const update = { ...aProject().updates[0], date: "2026-07-01" } as Update;
    const project = {
      milestones: [milestone("drill", "2026-03-01"), milestone("pump", "2026-06-01")],
      updates: [{ ...update, id: "later" }, { ...update, id: "own", date: "2026-03-02", milestone: "drill" }],
      payouts: [{ entry: "E", index: 1, date: "2026-06-02", cents: 8, proposal: null, milestone: "drill" }],
    };

    expect(stepsOf(chapter, project).map(({ key, note }) => [key, note?.id])).toEqual([["drill", "own"]]);
    const unnamed = { ...project, payouts: [] };
    expect(stepsOf(chapter, unnamed).map(({ key, note }) => [key, note?.id])).toEqual([["pump", "later"]]);
  });

  test("a step that closed without a payment of its own leads, with all that was paid so far", () => {
    const [chapter] = chaptersOf([paid(WELLS, "2026-03-01", 7), paid(WELLS, "2026-03-02", 2)], [WELLS_PAGE]);
    if (chapter === undefined) throw new Error("there is a chapter");
    const late = { ...milestone("pump", "2026-05-01"), completedOn: "2026-06-01" };
    const project = { milestones: [milestone("drill", "2026-03-01"), late], updates: [], payouts: [] };

    expect(stepsOf(chapter, project).map(({ key, cents, date }) => [key, cents, date])).toEqual([
      ["pump", 9, "2026-06-01"],
      ["drill", 9, "2026-03-01"],
    ]);
  });
});
