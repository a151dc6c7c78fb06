import type { MilestoneMoney, ProjectPage } from "@/api/schema";
import { bookedText } from "@/lib/text/booked";
import type { Paid } from "./api";

/** What somebody's dollars did in one project: how much, for which steps. */
export type Chapter = {
  readonly account: string;
  readonly name: string;
  /** The project's page, if it has one. */
  readonly slug: string | null;
  readonly cents: number;
  readonly payments: readonly Paid[];
};

/** A part of the money, and the milestone that its payment was for, if one is known. */
export type Step = {
  readonly key: string;
  readonly cents: number;
  readonly date: string;
  readonly milestone: MilestoneMoney | null;
};

/** One chapter for each project, grant or donation; those with a page first, then by amount. */
export function chaptersOf(paid: readonly Paid[], slugs: readonly string[]): Chapter[] {
  const byAccount = new Map<string, Paid[]>();
  for (const payment of paid) {
    byAccount.set(payment.account, [...(byAccount.get(payment.account) ?? []), payment]);
  }
  const chapters = [...byAccount].map(([account, payments]) => ({
    account,
    name: bookedText(payments.find(({ project }) => project !== "")?.project ?? account),
    slug: slugOf(account, slugs),
    cents: payments.reduce((sum, { cents }) => sum + cents, 0),
    payments,
  }));
  return chapters.toSorted(
    (left, right) =>
      Number(right.slug !== null) - Number(left.slug !== null) || right.cents - left.cents,
  );
}

/**
 * The steps of a chapter in order of time. A payment belongs to the milestone of its day, else to
 * the last one that was complete by then, else to the first that followed.
 */
export function stepsOf(chapter: Chapter, project: Pick<ProjectPage, "milestones"> | null): Step[] {
  const done = (project?.milestones ?? [])
    .filter(({ completed }) => completed)
    .toSorted((left, right) => left.date.localeCompare(right.date));
  const steps = new Map<string, Step>();
  for (const { date, cents } of chapter.payments) {
    const milestone = done.findLast((one) => one.date <= date) ?? done[0] ?? null;
    const key = milestone?.id ?? date;
    const before = steps.get(key);
    steps.set(key, {
      key,
      cents: (before?.cents ?? 0) + cents,
      date: milestone?.date ?? date,
      milestone,
    });
  }
  return [...steps.values()].toSorted((left, right) => left.date.localeCompare(right.date));
}

/** The page of a project's account, if it has one. */
export function slugOf(account: string, slugs: readonly string[]): string | null {
  const [type, group, slug] = account.split(":");
  const isProject = type === "expenses" && group === "projects" && slug !== undefined;
  return isProject && slugs.includes(slug) ? slug : null;
}
