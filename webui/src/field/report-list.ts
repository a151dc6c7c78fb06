// What became of the reports: those on the phone, then those that arrived.

import type { FieldPage, SentReport } from "@/api/schema";
import { button, element } from "./elements";
import { titleOf } from "./store";
import type { Report } from "./store";
import { say, sayDay, sayMoney } from "./texts";

export function listReports(
  here: readonly Report[],
  page: FieldPage | null,
  percents: ReadonlyMap<string, number>,
  change: (key: string) => void,
): readonly HTMLElement[] {
  const keys = new Set(here.map(({ key }) => key));
  const arrived = page?.reports.filter(({ key }) => !keys.has(key)) ?? [];
  const items = [
    ...here.map((report) => (report.state === "draft" ? draftItem(report, change) : waitingItem(report, percents.get(report.key)))),
    ...arrived.map((report) => arrivedItem(report, page?.project ?? "")),
  ];
  return [
    element("h2", { id: "reports" }, say("reports")),
    items.length === 0
      ? element("p", { class: "hint" }, say("noReports"))
      : element("ul", { class: "reports" }, ...items),
  ];
}

function draftItem(report: Report, change: (key: string) => void): HTMLElement {
  const kind = report.problem === "" ? "draft" : "refused";
  const again = button(say("back"), () => change(report.key));
  return element("li", {}, heading(titleOf(report.draft), kind, say("stateDraft")), ...problemOf(report), again);
}

function waitingItem(report: Report, percent: number | undefined): HTMLElement {
  const state = percent === undefined ? say("stateQueued") : say("stateSending", { percent });
  return element("li", {}, heading(titleOf(report.draft), "queued", state), ...problemOf(report));
}

function problemOf({ problem }: Report): readonly HTMLElement[] {
  return problem === "" ? [] : [element("p", { class: "hint" }, say("problem", { message: problem }))];
}

function arrivedItem(report: SentReport, project: string): HTMLElement {
  const states = {
    arriving: say("stateArriving"),
    waiting: say("stateWaiting"),
    published: say("statePublished"),
    refused: say("stateRefused"),
    approved: say("stateApproved"),
    paid: say("statePaid"),
  };
  const faulty = report.photos.filter(({ fault }) => fault !== "").length;
  const item = element("li", {}, heading(nameOf(report), report.state, states[report.state]));
  item.append(element("p", { class: "hint" }, say("sentOn", { day: sayDay(report.receivedOn) })));
  if (report.reason !== "") item.append(element("p", {}, say("reason", { reason: report.reason })));
  if (faulty > 0) item.append(element("p", { class: "hint" }, say("faultyPhotos", { count: faulty })));
  if (report.state === "published") {
    item.append(element("a", { href: `/projects/${project}` }, say("seeProject")));
  }
  return item;
}

/** The shop of a claim has its amount before it. */
function nameOf({ title, currency, amount }: SentReport): string {
  return currency === "" ? title : `${sayMoney(currency, amount)}, ${title}`;
}

function heading(title: string, kind: string, state: string): HTMLElement {
  return element("p", { class: "title" }, element("strong", {}, title), element("span", { class: `state ${kind}` }, state));
}
