// What is kept on the phone: links, reports and claims that are written or wait, and their photos.

import type { FieldPage, FieldReport, SentClaim } from "@/api/schema";

export type Link = {
  readonly code: string;
  /** What the server last said of it. */
  readonly page: FieldPage | null;
  /** Why the server refused it; empty while it opens. */
  readonly refusal: string;
  readonly seenAt: number;
};

export type Place = { readonly latitude: number; readonly longitude: number };

export type ClaimDraft = Omit<SentClaim, "photos"> & {
  readonly typed: { readonly amount: string; readonly cost: string };
  /** Whether the organisation asked if it was paid twice. */
  readonly isAsked: boolean;
};

export type ReportDraft = Omit<FieldReport, "photos"> & {
  /** Its place, if that is the place of a photo. */
  readonly photoPlace: Place | null;
  readonly showsPlace: boolean;
  readonly values: Readonly<Record<string, string>>;
};

export type Draft = ReportDraft | ClaimDraft;

export type Report = {
  /** Made on this phone: however often the report is sent, it arrives once. */
  readonly key: string;
  readonly code: string;
  readonly state: "draft" | "queued";
  readonly draft: Draft;
  readonly problem: string;
  readonly at: number;
  /** The window that changed it last. */
  readonly by?: string;
};

/** What stays of a report that arrived: no window may send it again. */
type Arrived = { readonly key: string; readonly state: "arrived" };

export type Photo = {
  readonly id: string;
  readonly report: string;
  readonly number: number;
  readonly sha256: string;
  readonly data: ArrayBuffer;
  /** Where it was taken, if its file said so; the photos of an earlier version have none. */
  readonly place?: Place | null | undefined;
};

type Table = "links" | "reports" | "photos";

const FULL: ReadonlySet<string> = new Set(["QuotaExceededError", "UnknownError"]);
const WINDOW = crypto.randomUUID();

let opened: Promise<IDBDatabase> | undefined;

/** Changes what is stored of a link, as it is now; returns what it became. */
export function changeLink(code: string, next: (known: Link | undefined) => Link): Promise<Link> {
  return exchange<Link, Link>("links", code, (known, table) => {
    const link = next(known);
    table.put(link);
    return link;
  });
}

/** The links, those that open first, and of those the newest. */
export async function allLinks(): Promise<readonly Link[]> {
  const links = await read<readonly Link[]>("links", (table) => table.getAll());
  const newest = links.toSorted((one, other) => other.seenAt - one.seenAt);
  return [...newest.filter(({ refusal }) => refusal === ""), ...newest.filter(({ refusal }) => refusal !== "")];
}

/** Whether two links are of the same partner and project, so that one may take the place of the other. */
export function areAlike(one: Link, other: Link): boolean {
  if (one.page === null || other.page === null) return one.code === other.code;
  return one.page.project === other.page.project && one.page.partner === other.page.partner;
}

export function isClaim(draft: Draft): draft is ClaimDraft {
  return "typed" in draft;
}

/** What a report or claim is called in a list. */
export function titleOf(draft: Draft): string {
  return isClaim(draft) ? [`${draft.typed.amount} ${draft.currency}`, draft.shop].join(", ") : draft.title;
}

export async function allReports(): Promise<readonly Report[]> {
  const rows = await read<readonly (Report | Arrived)[]>("reports", (table) => table.getAll());
  return rows.filter((row) => row.state !== "arrived").toSorted((one, other) => other.at - one.at);
}

export async function photosOf(report: string): Promise<readonly Photo[]> {
  const photos = await read<readonly Photo[]>("photos", (table) => table.index("report").getAll(report));
  return photos.toSorted((one, other) => one.number - other.number);
}

export function putReport(report: Report): Promise<void> {
  return change("reports", (table) => table.put(report));
}

/** Changes a report, unless another window changed it since it was read; returns whether it did. */
export function moveReport(seen: Report, report: Report): Promise<boolean> {
  return changeReport(seen, (table) => table.put({ ...report, by: WINDOW } satisfies Report));
}

/** Removes a draft that was emptied, unless another window changed it since it was read. */
export function dropDraft(seen: Report): Promise<boolean> {
  return changeReport(seen, (table) => table.delete(seen.key));
}

/** Ends a report that arrived; its text and photos leave the phone. */
export async function endReport(key: string): Promise<void> {
  const photos = await photosOf(key);
  await Promise.all(photos.map(({ id }) => removePhoto(id)));
  await change("reports", (table) => table.put({ key, state: "arrived" } satisfies Arrived));
}

export function putPhoto(photo: Photo): Promise<void> {
  return change("photos", (table) => table.put(photo));
}

export function removePhoto(id: string): Promise<void> {
  return change("photos", (table) => table.delete(id));
}

/** Whether an error means that the phone has no room left; some browsers know no better name for it. */
export function isFull(error: unknown): boolean {
  return error instanceof DOMException && FULL.has(error.name);
}

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("jara-field", 1);
    request.addEventListener("upgradeneeded", () => {
      request.result.createObjectStore("links", { keyPath: "code" });
      request.result.createObjectStore("reports", { keyPath: "key" });
      request.result.createObjectStore("photos", { keyPath: "id" }).createIndex("report", "report");
    });
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => {
      opened = undefined; // there may be room at the next attempt
      reject(request.error);
    });
  });
  return opened;
}

async function read<T>(name: Table, ask: (table: IDBObjectStore) => IDBRequest): Promise<T> {
  const db = await database();
  return await new Promise((resolve, reject) => {
    const request = ask(db.transaction(name).objectStore(name));
    request.addEventListener("success", () => resolve(request.result as T));
    request.addEventListener("error", () => reject(request.error));
  });
}

/** Changes a table; done once the phone has it on its disk. */
async function change(name: Table, act: (table: IDBObjectStore) => IDBRequest): Promise<void> {
  const db = await database();
  await new Promise<void>((resolve, reject) => {
    const transaction = db.transaction(name, "readwrite", { durability: "strict" });
    act(transaction.objectStore(name));
    settle(transaction, resolve, reject);
  });
}

function changeReport(seen: Report, act: (table: IDBObjectStore) => void): Promise<boolean> {
  return exchange<Report | Arrived, boolean>("reports", seen.key, (known, table) => {
    const isSame =
      known === undefined || (known.state === seen.state && (known.at === seen.at || known.by === WINDOW));
    if (isSame) act(table);
    return isSame;
  });
}

/** Changes a row by what it is, while no other window changes it; done once the phone has it on its disk. */
async function exchange<Row, Result>(
  name: Table,
  key: string,
  act: (known: Row | undefined, table: IDBObjectStore) => Result,
): Promise<Result> {
  const db = await database();
  return await new Promise((resolve, reject) => {
    const transaction = db.transaction(name, "readwrite", { durability: "strict" });
    const table = transaction.objectStore(name);
    const found = table.get(key);
    let result: Result;
    found.addEventListener("success", () => {
      result = act(found.result as Row | undefined, table);
    });
    settle(transaction, () => resolve(result), reject);
  });
}

function settle(
  transaction: IDBTransaction,
  resolve: () => void,
  reject: (error: unknown) => void,
): void {
  transaction.addEventListener("complete", () => resolve());
  // Every failure ends in this event; before it, the transaction has no error to tell.
  transaction.addEventListener("abort", () => reject(transaction.error));
}
