// oxlint-disable eslint/no-restricted-globals, eslint/no-await-in-loop -- no client here; one file after the other spares slow networks
// The service worker: without a network the site shows the last known pages and figures with their
// date. The network always comes first. What is kept belongs to one build in one language, which the
// name of its main script tells; a page of another build replaces all of it, so that no stored page
// meets the scripts of another. Answers to signed-in calls and cards for other sites are never kept.

const MAIN = /\/assets\/main-[\w-]+\.js/;
const FILES = /^\/(?:assets|art|media)\//;
const PARTS = /\/(?:assets|art|media)\/[\w./-]+\.(?:js|css|svg|woff2|png|jpe?g|webp|avif)/g;
const PUBLIC = /^\/api\/(?!user\/|proofs\/|open-data\/|confirm-|undo-|stop-)|^\/api\/user\/(?:all-|get-cash|get-proposals)/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(begin()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.headers.has("token") || request.headers.has("authorization")) return;
  if (request.mode === "navigate" && !/^\/(?:api|embed|log|media)\//.test(pathname)) {
    event.respondWith(page(event, search === ""));
  } else if (FILES.test(pathname)) event.respondWith(file(event));
  else if (PUBLIC.test(pathname) && !search.includes("code=")) event.respondWith(figures(event));
});

async function page(event, isPlain) {
  try {
    const answer = await fetch(event.request);
    if (answer.ok && isPage(answer)) event.waitUntil(keepPage(event.request.url, answer.clone(), isPlain));
    return answer;
  } catch {
    const stored = await found(event.request.url, { ignoreSearch: true });
    return stored === undefined ? Response.error() : dated(stored);
  }
}

async function figures(event) {
  try {
    const answer = await fetch(event.request);
    const kept = await newest();
    if (kept !== null && isFigures(answer)) event.waitUntil(kept.put(event.request.url, answer.clone()));
    return answer;
  } catch (lost) {
    const stored = await found(event.request.url);
    if (stored === undefined) throw lost;
    return dated(stored);
  }
}

// Named by content, so that a stored file is never old.
async function file(event) {
  const stored = await found(event.request.url);
  if (stored !== undefined) return stored;
  const answer = await fetch(event.request);
  const kept = await newest();
  if (kept !== null && answer.status === 200) event.waitUntil(kept.put(event.request.url, answer.clone()));
  return answer;
}

async function keepPage(url, answer, isPlain) {
  const text = await answer.clone().text();
  const main = MAIN.exec(text)?.[0];
  if (main === undefined) return;
  for (const name of await caches.keys()) if (name !== main) await caches.delete(name);
  const kept = await caches.open(main);
  const parts = [...new Set(text.match(PARTS))];
  await Promise.all(parts.map((part) => keepFile(kept, part)));
  // Last, so that a page is kept only with everything it names.
  if (isPlain) await kept.put(url, answer);
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
    if (answer.ok && isPage(answer)) await keepPage(answer.url, answer, true);
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

async function newest() {
  const [name] = await caches.keys();
  return name === undefined ? null : caches.open(name);
}

// One language and one build are kept at a time, so that Vary has nothing left to say.
async function found(url, options = {}) {
  const kept = await newest();
  return kept?.match(url, { ignoreVary: true, ...options });
}

/** A stored answer that says so: the page reads when it was true. */
async function dated(stored) {
  const headers = new Headers(stored.headers);
  headers.set("last-modified", headers.get("date") ?? "");
  headers.delete("date");
  // The body is kept as it was decoded.
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(await stored.blob(), { status: stored.status, headers });
}
