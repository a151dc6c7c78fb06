// Sends what waits on the phone: a report, then its photos piece by piece. Every request may be lost
// and sent again; the server says how far each photo is there, and each report arrives once.

import type { FieldPage, FieldReport, SentClaim, SentReport } from "@/api/schema";
import { fieldReport } from "@/rules.json";
import { allLinks, allReports, areAlike, changeLink, endReport, isClaim, isFull, moveReport, photosOf, putPhoto, putReport } from "./store";
import type { Link, Report } from "./store";
import { spoken } from "./texts";

const REQUEST_MS = 30_000;
const RETRY_MS = [2000, 5000, 15_000, 60_000];
const DEAD_LINK: ReadonlySet<string> = new Set(["link_unknown", "link_expired", "link_revoked"]);

/** What the server answered instead of doing it. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export type Progress = (report: string, percent: number) => void;

/** Asks what became of the reports of a link; what is known already where there is no network. */
export async function refresh(link: Link): Promise<Link> {
  try {
    const page = (await call(link.code, "GET", "")) as FieldPage;
    return { ...link, page, refusal: "" };
  } catch (error) {
    const isDead = error instanceof Refusal && DEAD_LINK.has(error.code);
    return isDead ? { ...link, refusal: error.message } : link;
  }
}

/** Stores what was answered, unless a report arrived meanwhile, which the answer may not know. */
export function keepPage(asked: Link, answer: Link): Promise<Link> {
  const before = JSON.stringify(asked.page);
  return changeLink(asked.code, (known = asked) => (JSON.stringify(known.page) === before ? answer : known));
}

/** Sends every report that waits, one after the other, in one window only. */
export async function sendAll(progress: Progress): Promise<boolean> {
  if (!("locks" in navigator)) return await sendWaiting(progress);
  return await navigator.locks.request("jara-field", { ifAvailable: true }, async (lock) =>
    lock === null ? false : await sendWaiting(progress),
  );
}

/** How long to wait before the next attempt. */
export function pauseAfter(failures: number): number {
  return RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? REQUEST_MS;
}

async function sendWaiting(progress: Progress): Promise<boolean> {
  const waiting = (await allReports()).filter(({ state }) => state === "queued");
  let isDone = true;
  // The oldest first; one that fails holds up no other.
  for (const report of waiting.toReversed()) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- a slow network carries one at a time
    isDone = (await sendOne(report, progress)) && isDone;
  }
  return isDone;
}

async function sendOne(report: Report, progress: Progress): Promise<boolean> {
  const links = await allLinks();
  const link = openLink(links, report);
  if (link === undefined) return false;
  try {
    await deliver(link, report, progress);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) return false;
    if (DEAD_LINK.has(error.code)) await changeLink(link.code, (known = link) => ({ ...known, refusal: error.message }));
    else if (error.code === "report_differs") await putUnderNewKey(report);
    else if (error.code === "claim_twice") await askTwice(report, error.message);
    // What the server will not take as it is, the partner can change.
    else if (error.status === 422) await moveReport(report, { ...report, state: "draft", problem: error.message });
    else await moveReport(report, { ...report, problem: error.message });
    return false;
  }
}

/** The report's own link, or a newer one of the same partner and project. */
function openLink(links: readonly Link[], { code }: Report): Link | undefined {
  const own = links.find((link) => link.code === code);
  if (own === undefined || own.refusal === "") return own;
  return links.find((link) => link.refusal === "" && areAlike(link, own));
}

async function deliver(link: Link, report: Report, progress: Progress): Promise<void> {
  const photos = await photosOf(report.key);
  const body: FieldReport | SentClaim = {
    ...bodyOf(report),
    photos: photos.map(({ sha256, data }) => ({ sha256, size: data.byteLength })),
  };
  const path = `/reports/${report.key}`;
  const address = isClaim(report.draft) ? `/claims/${report.key}` : path;
  let sent = (await call(link.code, "PUT", address, JSON.stringify(body))) as SentReport;
  const total = Math.max(1, photos.reduce((bytes, { data }) => bytes + data.byteLength, 0));
  for (const { sha256, data } of photos) {
    let at = received(sent, sha256);
    let rounds = 0;
    while (at < data.byteLength && sent.state === "arriving" && rounds < 3) {
      const piece = data.slice(at, at + fieldReport.pieceBytes);
      // oxlint-disable-next-line eslint/no-await-in-loop -- the answer says where the next piece begins
      sent = (await call(link.code, "PUT", `${path}/photos/${sha256}?start=${at}`, piece)) as SentReport;
      const next = received(sent, sha256);
      // A photo that was changed on the way begins again.
      rounds += next <= at ? 1 : 0;
      at = next;
      progress(report.key, Math.floor((100 * sum(sent)) / total));
    }
  }
  if (sent.state === "arriving") throw new Error("Not all photos have arrived.");
  try {
    await keepAnswer(link, sent);
    await endReport(report.key);
  } catch (error) {
    if (!isFull(error)) throw error;
    // The report makes room for the answer.
    await endReport(report.key);
    await keepAnswer(link, sent);
  }
}

/** Shows the report among those that arrived before it leaves the phone. */
async function keepAnswer(link: Link, sent: SentReport): Promise<void> {
  await changeLink(link.code, (known = link) => {
    if (known.page === null) return known;
    const others = known.page.reports.filter(({ key }) => key !== sent.key);
    return { ...known, page: { ...known.page, reports: [sent, ...others] } };
  });
}

async function putUnderNewKey(report: Report): Promise<void> {
  // Only a copied database of a phone can have this; text and photos must not be lost.
  const key = crypto.randomUUID();
  const photos = await photosOf(report.key);
  await Promise.all(photos.map((one) => putPhoto({ ...one, id: `${key}/${one.sha256}`, report: key })));
  await putReport({ ...report, key });
  await endReport(report.key);
}

/** Lets the claimant say whether the same was paid twice. */
async function askTwice(report: Report, problem: string): Promise<void> {
  if (!isClaim(report.draft)) return;
  await moveReport(report, { ...report, state: "draft", draft: { ...report.draft, isAsked: true }, problem });
}

function bodyOf({ draft }: Report): FieldReport | Omit<SentClaim, "photos"> {
  if (isClaim(draft)) {
    const { typed: _typed, isAsked: _asked, ...claim } = draft;
    return claim;
  }
  const { photoPlace: _place, showsPlace: _shows, values: _values, ...body } = draft;
  return body;
}

function received(sent: SentReport, sha256: string): number {
  const photo = sent.photos.find((one) => one.sha256 === sha256);
  return photo === undefined || photo.fault !== "" ? Infinity : photo.received;
}

function sum(sent: SentReport): number {
  return sent.photos.reduce((all, photo) => all + photo.received, 0);
}

async function call(code: string, method: string, path: string, body?: string | ArrayBuffer): Promise<unknown> {
  const type = typeof body === "string" ? "application/json" : "application/octet-stream";
  // oxlint-disable-next-line eslint/no-restricted-globals -- the page is apart from the site and its client
  const answer = await fetch(`/api/field${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${code}`,
      "Accept-Language": spoken(),
      ...(body === undefined ? {} : { "Content-Type": type }),
    },
    ...(body === undefined ? {} : { body }),
    cache: "no-store",
    signal: AbortSignal.timeout(REQUEST_MS),
  });
  const document = (await answer.json()) as { readonly code?: string; readonly message?: string };
  if (!answer.ok) throw new Refusal(answer.status, document.code ?? "", document.message ?? "");
  return document;
}
