import type { MilestoneMoney, ProjectCard, ProjectPage } from "@/api/schema";
import type { Paid } from "./api";

export type Update = ProjectPage["updates"][number];

/** What somebody's dollars did in one project: how much, for which steps. */
export type Chapter = {
  readonly account: string;
  readonly name: string;
  readonly sample: boolean | undefined;
  /** The project's page, if it has one. */
  readonly slug: string | null;
  readonly cents: number;
  readonly payments: readonly Paid[];
};

/** A part of the money, the milestone that its payment was for, if one is known, and its news. */
export type Step = {
  readonly key: string;
  readonly cents: number;
  readonly date: string;
  /** Empty if the step closed without a payment of its own. */
  readonly payments: readonly Paid[];
  readonly milestone: MilestoneMoney | null;
  /** The newest field update about it. */
  readonly note: Update | null;
};

type Listed = Pick<ProjectCard, "slug" | "account" | "lastStepOn">;
type Shown = Pick<ProjectPage, "milestones" | "updates" | "payouts">;

/**
 * One chapter for each project, grant or donation: those with a page first, from the largest amount,
 * which has the largest picture.
 */
export function chaptersOf(paid: readonly Paid[], projects: readonly Listed[]): Chapter[] {
  const pages = new Map(projects.map((project) => [project.account, project]));
  const byAccount = new Map<string, Paid[]>();
  for (const payment of paid) {
    byAccount.set(payment.account, [...(byAccount.get(payment.account) ?? []), payment]);
  }
  const chapters = [...byAccount].map(([account, payments]) => ({
    account,
    name: payments.find(({ project }) => project !== "")?.project ?? account,
    sample: payments[0]?.sample,
    slug: pages.get(account)?.slug ?? null,
    cents: payments.reduce((sum, { cents }) => sum + cents, 0),
    payments,
  }));
  const lastStep = ({ account }: Chapter) => pages.get(account)?.lastStepOn ?? "";
  return chapters.toSorted(
    (left, right) =>
      Number(right.slug !== null) - Number(left.slug !== null) ||
      right.cents - left.cents ||
      lastStep(right).localeCompare(lastStep(left)),
  );
}

/**
 * The steps of a chapter, newest first. A payment belongs to the milestone that the books name; else
 * to the milestone of its day, else to the last one that was complete by then, else to the first
 * that followed.
 */
export function stepsOf(chapter: Chapter, project: Shown | null): Step[] {
  const done = (project?.milestones ?? [])
    .filter(({ completed }) => completed)
    .toSorted((left, right) => doneOn(left).localeCompare(doneOn(right)));
  const named = new Map(project?.payouts.map(({ entry, milestone }) => [entry, milestone]));
  const steps = new Map<string, Omit<Step, "note">>();
  for (const payment of chapter.payments) {
    const id = payment.entry === undefined ? undefined : named.get(payment.entry);
    const milestone =
      project?.milestones.find((one) => one.id === id) ??
      done.findLast((one) => doneOn(one) <= payment.date) ??
      done[0] ??
      null;
    const key = milestone?.id ?? payment.date;
    const before = steps.get(key);
    steps.set(key, {
      key,
      cents: (before?.cents ?? 0) + payment.cents,
      date: milestone?.completed ? doneOn(milestone) : payment.date,
      payments: [...(before?.payments ?? []), payment],
      milestone,
    });
  }
  // A step that closed later without a payment of its own: all that was paid before led there.
  const last = done.at(-1);
  const isNamed = project?.payouts.some(({ milestone }) => milestone === last?.id) ?? false;
  const isLater = chapter.payments.every(({ date }) => last !== undefined && date <= doneOn(last));
  if (last !== undefined && isLater && !isNamed && !steps.has(last.id)) {
    const { cents } = chapter;
    steps.set(last.id, { key: last.id, cents, date: doneOn(last), payments: [], milestone: last });
  }
  const ordered = [...steps.values()].toSorted((left, right) => right.date.localeCompare(left.date));
  return ordered.map((step, place) => ({
    ...step,
    note: noteOf(step, project?.updates ?? [], ordered[place - 1]?.date),
  }));
}

function doneOn({ completedOn, date }: MilestoneMoney): string {
  return completedOn ?? date;
}

/** The newest update that names the milestone, else of those of its time that name none. */
function noteOf(
  { milestone, date }: Omit<Step, "note">,
  updates: readonly Update[],
  nextDate = "9999",
): Update | null {
  const newest = updates.toSorted((left, right) => right.date.localeCompare(left.date));
  const isOfTime = (one: Update) => date <= one.date && one.date < nextDate;
  return (
    newest.find((one) => milestone !== null && one.milestone === milestone.id) ??
    newest.find((one) => one.milestone === undefined && isOfTime(one)) ??
    null
  );
}
