import { expect } from "vitest";
import { figuresOf, isKept } from "./support/kept.ts";
import { openSite } from "./support/journeys.ts";
import type { Visit } from "./support/visit.ts";

// The last known pages without a network, kept by the service worker (public/worker.js).

const { journey } = openSite({}, undefined, undefined, "allow");
const TODAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

journey("offline, home and ledger show the last known figures and their date", async (visit) => {
  await visit.go("/");
  await isKept(visit.page, "/");
  await visit.go("/ledger");
  await visit.settle();
  await isKept(visit.page, "/ledger");
  const figures = await figuresOf(visit.page);
  expect(figures.length, "figures of the ledger").toBeGreaterThan(3);
  await loseNetwork(visit);
  await visit.page.reload();
  await visit.sees(`Offline. Figures as of ${TODAY.format(new Date())}.`);
  await visit.page.getByRole("heading", { name: "LEDGER" }).waitFor();
  await visit.settle();
  expect(await figuresOf(visit.page)).toEqual(figures);
  await visit.page.goto(visit.page.url().replace("/ledger", "/"));
  await visit.sees("Offline. Figures as of");
  await visit.page.getByRole("heading", { level: 1 }).waitFor();
  await visit.looksRight();
  await visit.page.context().setOffline(false);
  await visit.page.getByText("Offline. Figures as of").waitFor({ state: "detached" });
});

journey("another language replaces what is kept", async (visit) => {
  await visit.go("/");
  await isKept(visit.page, "/");
  await visit.page.goto(`${visit.page.url()}?lang=fr`);
  await visit.page.goto(visit.page.url().replace("?lang=fr", ""));
  await isKept(visit.page, "/");
  await loseNetwork(visit);
  await visit.page.reload();
  await visit.sees("Hors ligne. Chiffres en date du");
  expect(await visit.page.locator("html").getAttribute("lang")).toBe("fr");
  expect(await visit.page.evaluate(() => caches.keys())).toHaveLength(1);
});

journey("answers to signed-in calls and cards for other sites are not kept", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard");
  await visit.settle();
  await visit.go("/ledger");
  await isKept(visit.page, "/ledger");
  await visit.settle();
  await visit.page.goto(`${site.origin}/embed/projects/${await aProject(visit)}`);
  await visit.go("/ledger");
  const kept = await visit.page.evaluate(async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname);
  });
  const answers = kept.filter((path) => !path.startsWith("/assets/"));
  expect(answers.filter((path) => /profile|impact|contributions|embed|sessions/.test(path))).toEqual([]);
});

async function loseNetwork(visit: Visit): Promise<void> {
  visit.expectLosses(/./);
  await visit.page.context().setOffline(true);
}

async function aProject(visit: Visit): Promise<string> {
  return await visit.page.evaluate(async () => {
    const projects = (await (await fetch("/api/projects")).json()) as { slug: string }[];
    return projects[0]?.slug ?? "";
  });
}
