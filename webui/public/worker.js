// oxlint-disable eslint/no-restricted-globals, eslint/no-await-in-loop -- no client here; one file after the other spares slow networks
// The service worker: without a network, or with one that stays silent, the site shows the last known
// pages and figures with their date. The network always comes first. What is kept belongs to one build
// in one language, which the name of its main script tells; a page of another build replaces all of
// it once it is kept whole, so that no stored page meets the scripts of another. Answers to signed-in
// calls and cards for other sites are never kept.

const MAIN = /\/assets\/main-[\w-]+\.js/;
const FILES = /^\/(?:assets|art|media)\//;
const PARTS = /\/(?:assets|art|media)\/[\w./-]+\.(?:js|css|svg|woff2|png|jpe?g|webp|avif)/g;
const PUBLIC = /^\/api\/(?!user\/|proofs\/|open-data\/|confirm-|undo-|stop-)|^\/api\/user\/(?:all-|get-cash|get-proposals)/;
// A connection may accept and never answer: then what is kept is shown after this time.
const PATIENCE_MS = 4000;
// The next requests of a silent network wait less, for a page makes several.
const SILENT_MS = 30_000;
const SHORT_PATIENCE_MS = 500;
const GIVEN_UP_MS = 20_000;
const SILENCE = Symbol("silence");

let silentUntil = 0;
let turn = Promise.resolve();

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(begin()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "HEAD") event.respondWith(sign(request));
  if (request.method !== "GET") return;
  if (request.headers.has("token") || request.headers.has("authorization")) return;
  if (request.mode === "navigate" && !/^\/(?:api|embed|log|media)\//.test(pathname)) {
    event.respondWith(page(event, search === ""));
  } else if (FILES.test(pathname)) event.respondWith(file(event));
  else if (PUBLIC.test(pathname) && !search.includes("code=")) event.respondWith(figures(event));
});

/** Asks for a sign of life; when the network gives one, the next requests have the whole patience. */
async function sign(request) {
  const answer = await fetch(request);
  silentUntil = 0;
  return answer;
}

async function page(event, isPlain) {
  const { url } = event.request;
  const keep = async (answer) => {
    if (answer.ok && isPage(answer)) await keepPage(url, answer, isPlain);
  };
  const answer = await newestOrStored(event, () => found(url, { ignoreSearch: true }), keep);
  if (answer !== null) return answer;
  // An installed app has no bar with an address: better the first page, which says that it is offline.
  const home = await found("/");
  return home === undefined ? Response.error() : Response.redirect("/");
}

async function figures(event) {
  const { url } = event.request;
  const keep = async (answer) => {
    const kept = await newest();
    if (kept !== null && isFigures(answer)) await kept.put(url, answer);
  };
  return (await newestOrStored(event, () => found(url), keep)) ?? Response.error();
}

/** The network's answer; the stored one if it fails or is silent; null if there is neither. */
async function newestOrStored(event, stored, keep) {
  const coming = ask(event.request).then((answer) => {
    silentUntil = 0;
    const copy = answer.clone();
    event.waitUntil(inTurn(() => keep(copy)));
    return answer;
  });
  // It may come too late for the reader, and is kept all the same.
  event.waitUntil(coming.catch(() => null));
  const kept = await stored();
  const wait = Date.now() < silentUntil ? SHORT_PATIENCE_MS : PATIENCE_MS;
  const first = await Promise.race([
    coming.catch(() => null),
    ...(kept === undefined ? [] : [after(wait)]),
  ]);
  if (first === SILENCE) silentUntil = Date.now() + SILENT_MS;
  if (first !== null && first !== SILENCE) return first;
  return kept === undefined ? null : dated(kept);
}

/** A request that ends: one that hangs would hold up the next one for the same address. */
function ask({ url, mode, headers, cache, referrer }) {
  const signal = AbortSignal.timeout(GIVEN_UP_MS);
  const redirect = mode === "navigate" ? "manual" : "follow";
  return fetch(url, { headers, cache, credentials: "same-origin", redirect, referrer, signal });
}

function after(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, SILENCE);
  });
}

/** One after the other, so that tabs of two builds leave one of them whole. */
function inTurn(work) {
  turn = turn.then(work, work);
  return turn;
}

// Named by content, so that a stored file is never old.
async function file(event) {
  const stored = await caches.match(event.request.url, { ignoreVary: true });
  if (stored !== undefined) return stored;
  const answer = await fetch(event.request);
  if (answer.status === 200) {
    const copy = answer.clone();
    event.waitUntil(inTurn(async () => (await newest())?.put(event.request.url, copy)));
  }
  return answer;
}

async function keepPage(url, answer, isPlain) {
  const text = await answer.clone().text();
  const main = MAIN.exec(text)?.[0];
  if (main === undefined) return;
  const others = (await builds()).filter((name) => name !== main);
  const kept = await caches.open(main);
  const parts = [...new Set(text.match(PARTS))];
  await Promise.all(parts.map((part) => keepFile(kept, part)));
  // Last, so that a page is kept only with everything it names, and the others until then.
  if (isPlain) await kept.put(url, answer);
  await Promise.all(others.map((name) => caches.delete(name)));
}

async function keepFile(kept, url) {
  if ((await kept.match(url)) === undefined) await kept.add(url);
}

// Keeps the page that was loaded before this worker was there.
async function begin() {
  await clients.claim();
  for (const { url } of await clients.matchAll({ type: "window" })) {
    const { pathname, search } = new URL(url);
    // A query may hold a code of an email.
    if (search !== "" || pathname.startsWith("/embed/")) continue;
    const answer = await fetch(url);
    if (answer.ok && isPage(answer)) await inTurn(() => keepPage(answer.url, answer, true));
  }
}

function isPage(answer) {
  return answer.type === "basic" && (answer.headers.get("content-type") ?? "").startsWith("text/html");
}

function isFigures(answer) {
  const { ok, headers } = answer;
  const isJson = (headers.get("content-type") ?? "").startsWith("application/json");
  return ok && isJson && !(headers.get("cache-control") ?? "").includes("no-store");
}

/** The kept builds of the site; the page of partners keeps its own (field-worker.js). */
async function builds() {
  return (await caches.keys()).filter((name) => MAIN.test(name));
}

async function newest() {
  const [name] = await builds();
  return name === undefined ? null : caches.open(name);
}

// One language and one build are kept at a time, so that Vary has nothing left to say.
async function found(url, options = {}) {
  const kept = await newest();
  return kept?.match(url, { ignoreVary: true, ...options });
}

/** A stored answer that says when it was true: in a header, and a page in an attribute of <html>. */
async function dated(stored) {
  const headers = new Headers(stored.headers);
  const at = new Date(Date.parse(headers.get("date") ?? "") || Date.now()).toISOString();
  headers.set("stored", at);
  headers.delete("date");
  // The body is kept as it was decoded.
  headers.delete("content-encoding");
  headers.delete("content-length");
  const body = isPage(stored)
    ? (await stored.text()).replace("<html", `<html data-stored="${at}"`)
    : await stored.blob();
  return new Response(body, { status: stored.status, headers });
}
