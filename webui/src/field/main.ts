// The page with which a partner reports from the field, or a volunteer claims what they paid, without
// an account and without a network.

import "@/styles/tokens.css";
import "./field.css";
import { currentDraft, draftsOf, reportsOf } from "./drafts";
import { element } from "./elements";
import { formOf } from "./forms";
import type { Form } from "./forms";
import { Notice } from "./notice";
import { listReports } from "./report-list";
import { keepPage, pauseAfter, refresh, sendAll } from "./sending";
import { allLinks, changeLink, dropDraft, isFull, moveReport, putReport } from "./store";
import type { Link, Report } from "./store";
import { say, sayDay, speak } from "./texts";
import { keepOffline } from "./worker";

const KEEP_MS = 300;

const main = element("div", { class: "page" });
const network = element("p", { class: "network", role: "status" });
const notice = new Notice();
const refusal = element("p", { class: "problem", role: "alert", hidden: true });
const list = element("section", { "aria-labelledby": "reports" });
const sent = new Map<string, number>();
const channel = new BroadcastChannel("jara-field");

let link: Link | undefined;
/** Whether the page is kept on this phone; null while that is not known. */
let isKept: boolean | null = null;
let form: Form | undefined;
let failures = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let keeping: ReturnType<typeof setTimeout> | undefined;

document.querySelector("#field")?.append(main);
addEventListener("hashchange", () => void keepDraft().then(open));
addEventListener("online", goOn);
addEventListener("offline", sayNetwork);
addEventListener("pagehide", () => void keepDraft());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") void keepDraft();
  else goOn();
});
channel.addEventListener("message", () => void showStored());
void keepOffline().catch(() => false).then((kept) => {
  isKept = kept;
  sayNetwork();
});
void open();

/** Shows the project of the link, first as it is known, then as the server says. */
async function open(): Promise<void> {
  const code = location.hash.slice(1);
  const links = await allLinks().catch(() => []);
  const known = code === "" ? links[0] : links.find((one) => one.code === code);
  const fresh = { page: null, refusal: "", ...known, code: code || (known?.code ?? ""), seenAt: Date.now() };
  if (fresh.code === "") {
    const heading = element("div", { class: "head" }, element("h1", {}, say("heading")));
    main.replaceChildren(heading, element("p", { class: "notice" }, say("needsLink")));
    return;
  }
  link = fresh;
  await show();
  await keep(changeLink(fresh.code, (stored) => ({ ...fresh, ...stored, seenAt: fresh.seenAt })));
  await renew();
  void navigator.storage?.persist?.();
}

/** Asks the organisation what became of the reports, and sends what waits. */
async function renew(): Promise<void> {
  clearTimeout(retry);
  const asked = await storedLink();
  if (asked === undefined) return;
  const answer = await refresh(asked);
  if (link?.code !== asked.code) return; // another link was opened meanwhile
  link = (await keep(keepPage(asked, answer))) ?? answer;
  // A form that somebody writes in stays as it is.
  if (form === undefined || form.isUntouched) await show(undefined, true);
  else if (link.page?.language === asked.page?.language) await showReports();
  else if (await keepDraft()) await show();
  if (link.page !== null || link.refusal !== "") return await deliver();
  failures += 1;
  retry = setTimeout(goOn, pauseAfter(failures));
}

function goOn(): void {
  sayNetwork();
  void (link === undefined ? open() : renew());
}

/** Shows a report in the form, by default the draft that was written last; unasked, a form in use stays. */
async function show(report?: Report, isUnasked = false): Promise<void> {
  if (link === undefined) return;
  const { page } = link;
  if (page !== null) speak(page.language, page.claims === null ? "" : "Claim");
  sayNetwork();
  const about = page === null ? [] : [element("p", {}, say("about", { partner: page.partner }))];
  const hint = page === null && link.refusal === "" ? [element("p", { class: "notice" }, say("waitsForNetwork"))] : [];
  const head = element("div", { class: "head" }, element("h1", {}, page?.projectTitle || say("heading")), ...about);
  const next = page === null ? undefined : formOf(page, report ?? (await currentDraft(link)), keepSoon, () => void send());
  await next?.load();
  const others = await otherProjects();
  if (isUnasked && form?.isUntouched === false) return await showReports();
  form = next;
  main.replaceChildren(head, ...others, network, refusal, ...hint, notice.element, ...(form ? [form.element] : []), list);
  document.title = `${say("heading")} · ${document.querySelector("#organisation")?.textContent ?? ""}`;
  await showReports();
}

/** The links of a phone with several projects. */
async function otherProjects(): Promise<readonly HTMLElement[]> {
  const links = (await allLinks()).filter(({ page }) => page !== null);
  const firsts = links.filter((one) => one === links.find(({ page }) => page?.project === one.page?.project));
  if (firsts.length < 2) return [];
  const items = firsts.map(({ code, page }) => {
    const address = element("a", { href: `#${code}` }, page?.projectTitle || say("claims"));
    if (page?.project === link?.page?.project) address.setAttribute("aria-current", "page");
    return element("li", {}, address);
  });
  return [element("nav", { "aria-label": say("projects") }, element("ul", {}, ...items))];
}

function keepSoon(): void {
  clearTimeout(keeping);
  keeping = setTimeout(() => void keepDraft(), KEEP_MS);
}

function stopKeeping(): void {
  clearTimeout(keeping);
  keeping = undefined;
}

/** Keeps what was typed since; returns whether the phone has it. */
async function keepDraft(): Promise<boolean> {
  if (keeping === undefined) return true;
  stopKeeping();
  if (form === undefined) return true;
  if (form.isEmpty) return (await keep(dropDraft(form.report))) !== null;
  const report: Report = { ...form.report, draft: form.draft, at: Date.now() };
  const isMoved = await keep(moveReport(form.report, report));
  return isMoved === false ? await keepApart(report) : isMoved !== null;
}

/** Keeps what stands here as a new report, because another window changed or sent the one it was. */
async function keepApart(report: Report): Promise<boolean> {
  const apart: Report = { ...report, key: crypto.randomUUID(), state: "draft" };
  if ((await keep(putReport(apart).then(() => true))) === null) return false;
  notice.say(say("otherTab"));
  const field = document.activeElement?.id ?? "";
  await show(apart);
  main.querySelector<HTMLElement>(`[id="${field}"]`)?.focus();
  return true;
}

/** Takes a draft from the list into the form; what stands there becomes one of the list. */
async function change(key: string): Promise<void> {
  if (link === undefined || form?.isBusy === true || !(await keepDraft())) return;
  const draft = (await draftsOf(link)).find((one) => one.key === key);
  if (draft === undefined) await showReports(); // another window has sent it
  else await show(draft);
  form?.focus();
}

/** Waits until the phone has kept something; says so if there is no room for it. */
async function keep<T>(writing: Promise<T>): Promise<T | null> {
  try {
    return await writing;
  } catch (error) {
    if (!isFull(error)) throw error;
    if (form === undefined) notice.say(say("full"));
    else form.complain(say("full"));
    return null;
  }
}

/** Lets the report wait for the network, and begins a new one. */
async function send(): Promise<void> {
  const here = link;
  if (form === undefined || here === undefined) return;
  if (form.isBusy) return form.complain(say("shrinking"));
  const seen = form.report;
  const lack = form.lack;
  form.complain(lack);
  if (lack !== "") return;
  stopKeeping();
  const draft = { ...form.draft, writtenAt: Math.floor(Date.now() / 1000) };
  const report: Report = { ...seen, code: here.code, state: "queued", draft, problem: "", at: Date.now() };
  const isMoved = await keep(changeLink(here.code, (known = here) => known).then(() => moveReport(seen, report)));
  if (isMoved === null) return;
  if (isMoved) {
    notice.say(say("queued"), report.key);
    await show();
  } else {
    await keepApart(report);
  }
  tellWindows();
  await deliver();
}

/** Sends what waits; again after a while if the network fails. */
async function deliver(): Promise<void> {
  clearTimeout(retry);
  sayNetwork();
  const isDone = await sendAll((report, percent) => {
    sent.set(report, percent);
    void showReports();
  }).catch(() => false); // such as a full phone: the next attempt may find room
  failures = isDone ? 0 : failures + 1;
  if (!isDone) retry = setTimeout(() => void deliver(), pauseAfter(failures));
  await showStored();
  const back = link && (await draftsOf(link)).find(({ problem }) => problem !== "");
  if (form?.isUntouched === true && back !== undefined) await show(back, true);
  tellWindows();
}

/** Shows what this or another window has stored. */
async function showStored(): Promise<void> {
  link = await storedLink();
  await showReports();
}

/** The link of this page, as this or another window has stored it. */
async function storedLink(): Promise<Link | undefined> {
  const links = await allLinks().catch(() => []);
  return links.find(({ code }) => code === link?.code) ?? link;
}

async function showReports(): Promise<void> {
  if (link === undefined) return;
  refusal.textContent = link.refusal;
  refusal.hidden = link.refusal === "";
  const here = await reportsOf(link);
  const listed = here.filter(({ key, state }) => state === "queued" || key !== form?.report.key);
  list.replaceChildren(...listReports(listed, link.page, sent, (key) => void change(key)));
  notice.follow(here, link.page);
  if (link.page !== null) list.append(element("p", { class: "hint" }, say("lastDay", { day: sayDay(link.page.lastDay) })));
}

function tellWindows(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel.postMessage("changed");
}

function sayNetwork(): void {
  const atHome = isKept === null ? "" : say(isKept ? "online" : "notKept");
  network.textContent = navigator.onLine ? atHome : say("offline");
  network.classList.toggle("away", !navigator.onLine);
}

