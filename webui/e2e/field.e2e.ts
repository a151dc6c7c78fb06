import { expect, vi } from "vitest";
import type { Organisation } from "./support/organisation.ts";
import { openSite } from "./support/journeys.ts";
import { becomeSlow, cutAtRandom, isKept, isStored, photos, queued, queueReports, reopened } from "./support/phone.ts";
import { IS_FULL } from "./support/soak.ts";

// Partners in the field: a cheap phone, a bad line, often none (src/field, public/field-worker.js).

const { journey } = openSite({ JARA_LIMIT_FIELD_LINK: "1000000/h" }, undefined, undefined, "allow");
const PROJECT = "clean-water-boreholes";
// tests/webapi/field/test_interrupted.py sends 1,000.
const SENDS = IS_FULL ? 40 : 10;
let partners = 0;

type Row = { readonly id: string; readonly title: string; readonly state: string; readonly photos: number };

journey("a partner's day: written offline, sent when back, published, seen", async (visit, site) => {
  const link = await newLink(site, "fr");
  await becomeSlow(visit.page);
  await visit.page.goto(link);
  await visit.sees("Cette page fonctionne aussi sans réseau.");
  await isKept(visit.page);
  await visit.looksRight();
  visit.expectLosses(/./);
  await visit.page.context().setOffline(true);
  const phone = await reopened(visit.page, link);
  await phone.getByText("Pas de réseau.").waitFor();
  await phone.getByLabel("Ce qui s’est passé").fill("De l’eau à 62 mètres");
  await phone.getByLabel("Racontez").fill("Tout le village est venu.\n\nLa pompe arrive lundi.");
  await phone.getByLabel("Ajouter des photos").setInputFiles(await photos(phone, 3, 2400));
  await phone.getByRole("listitem").nth(2).waitFor();
  const milestone = await phone.getByLabel("Étape atteinte").locator("option").nth(1).getAttribute("value");
  await phone.getByLabel("Étape atteinte").selectOption(milestone);
  await phone.getByRole("button", { name: "Envoyer le rapport" }).click();
  await phone.getByText("Répondez à la question").waitFor();
  await phone.getByLabel("Oui, je leur ai demandé").check();
  await phone.getByRole("button", { name: "Envoyer le rapport" }).click();
  await phone.getByText("attend le réseau").waitFor();
  const later = await reopened(visit.page, link, phone);
  await later.getByText("De l’eau à 62 mètres").waitFor();
  await later.context().setOffline(false);
  await becomeSlow(later);
  await later.getByText("Arrivé, attend l’organisation").waitFor({ timeout: 120_000 });
  const row = (await waiting(site)).find(({ title }) => title === "De l’eau à 62 mètres");
  expect(row).toMatchObject({ title: "De l’eau à 62 mètres", photos: 3, state: "waiting" });
  const shown = JSON.parse(await site.jara("reports", "field", "show", row?.id ?? "", "--json")) as {
    readonly photos: readonly { readonly fault: string }[];
  };
  expect(shown.photos.map(({ fault }) => fault)).toEqual(["", "", ""]);
  await site.jara("reports", "field", "publish", row?.id ?? "", "--yes");
  const last = await reopened(visit.page, link, later);
  await last.getByText("Publié", { exact: true }).waitFor();
  await last.close();
}, [360]);

journey("interrupted sends lose nothing and double nothing", async (visit, site) => {
  const link = await newLink(site, "en", "long-tray");
  await visit.page.goto(link);
  await visit.sees("This page also works without a network.");
  visit.expectLosses(/api\/field/);
  await cutAtRandom(visit.page.context());
  await queueReports(visit.page, link.split("#")[1] ?? "", SENDS);
  await vi.waitFor(
    async () => {
      await visit.page.evaluate(() => dispatchEvent(new Event("online")));
      expect(await queued(visit.page)).toBe(0);
    },
    { timeout: 150_000, interval: 500 },
  );
  const all = (JSON.parse(await site.jara("reports", "field", "list", "--all", "--json")) as readonly Row[])
    .filter(({ title }) => title.startsWith("Report "))
    .map(({ title, photos: count }) => `${title}: ${count}`);
  expect(all.toSorted()).toEqual(Array.from({ length: SENDS }, (_, number) => `Report ${number}: 2`).toSorted());
}, [390]);

journey("two windows send one report, and what is typed in the other stays", async (visit, site) => {
  const link = await newLink(site, "en");
  await visit.page.goto(link);
  await visit.page.getByLabel("What happened").fill("Seen twice");
  await visit.page.getByLabel("Tell more").fill("Once.");
  await isStored(visit.page, "Seen twice");
  const other = await visit.page.context().newPage();
  await other.goto(link);
  await other.getByLabel("Tell more").waitFor();
  expect(await other.getByLabel("What happened").inputValue()).toBe("Seen twice");
  await Promise.all([
    visit.page.getByRole("button", { name: "Send report" }).click(),
    other.getByRole("button", { name: "Send report" }).click(),
  ]);
  await other.getByText("Arrived, waits").first().waitFor();
  const titles = (await waiting(site)).filter(({ title }) => title === "Seen twice");
  expect(titles).toHaveLength(1);
  await other.close();
}, [390]);

journey("a link that was ended says so, and keeps the text", async (visit, site) => {
  const link = await newLink(site, "en", "ended");
  await visit.page.goto(link);
  await visit.page.getByLabel("What happened").fill("Still here");
  await visit.page.getByLabel("Tell more").fill("Not lost.");
  await isStored(visit.page, "Still here");
  await site.jara("partners", "revoke", `ended ${partners}`);
  visit.expectEndOfLink();
  await visit.page.reload();
  await visit.sees("This link was ended by the organisation.");
  expect(await visit.page.getByLabel("What happened").inputValue()).toBe("Still here");
  const renewed = JSON.parse(await site.jara("partners", "link", `ended ${partners}`, "--json")) as { readonly address: string };
  await visit.page.getByRole("button", { name: "Send report" }).click();
  await visit.page.goto(hereOf(renewed.address, site));
  await visit.sees("Arrived, waits for the organisation");
}, [390]);

async function newLink(site: Organisation, language: string, name = "Partner"): Promise<string> {
  partners += 1;
  const words = ["partners", "add", `${name} ${partners}`, "--project", PROJECT, "--language", language, "--json"];
  const { address } = JSON.parse(await site.jara(...words)) as { readonly address: string };
  return hereOf(address, site);
}

function hereOf(address: string, site: Organisation): string {
  const { pathname, hash } = new URL(address);
  return `${site.origin}${pathname}${hash}`;
}

async function waiting(site: Organisation): Promise<readonly Row[]> {
  return JSON.parse(await site.jara("reports", "field", "list", "--json")) as readonly Row[];
}
