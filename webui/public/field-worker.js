// oxlint-disable eslint/no-restricted-globals -- no client here
// The service worker of /field: after one visit the page opens without a network, at once. A newer
// page is fetched beside it, and takes its place once all its files are here.

const KEPT = "field";
const PAGE = "/field";
const PARTS = /\/assets\/[\w./-]+\.(?:js|css)/g;

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(renew());
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && pathname === PAGE) event.respondWith(page(event));
  else if (pathname.startsWith("/assets/") || pathname.startsWith("/art/")) event.respondWith(file(request));
});

async function page(event) {
  const kept = await caches.match(PAGE, { cacheName: KEPT, ignoreVary: true });
  if (kept === undefined) return fetch(event.request);
  event.waitUntil(renew().catch(() => null));
  return kept;
}

async function file(request) {
  const kept = await caches.match(request, { cacheName: KEPT, ignoreVary: true });
  return kept ?? fetch(request);
}

/** Keeps the newest page with every file that it names, then drops the files of the one before. */
async function renew() {
  const answer = await fetch(PAGE);
  if (!answer.ok) throw new TypeError(`The page answers ${answer.status}.`);
  const text = await answer.clone().text();
  const parts = [...new Set(text.match(PARTS))];
  const kept = await caches.open(KEPT);
  await Promise.all(parts.map(async (part) => (await kept.match(part)) ?? kept.add(part)));
  await kept.put(PAGE, answer);
  const names = new Set([PAGE, ...parts]);
  const old = (await kept.keys()).filter(({ url }) => !names.has(new URL(url).pathname));
  await Promise.all(old.map((request) => kept.delete(request)));
}
