import type { Page } from "playwright-core";
import { expect, vi } from "vitest";
import type { Organisation } from "./support/organisation.ts";
import { openSite } from "./support/journeys.ts";
import { hereOf, newLink, PROJECT, type Row, waiting } from "./support/partner.ts";
import { becomeSlow, cutAtRandom, isKept, isStored, photos, queued, queueReports, reopened } from "./support/phone.ts";
import { IS_FULL } from "./support/soak.ts";
import type { Visit } from "./support/visit.ts";

// Partners in the field: a cheap phone, a bad line, often none (src/field, public/field-worker.js).

const { journey } = openSite({ JARA_LIMIT_FIELD_LINK: "1000000/h" }, undefined, undefined, "allow");
const MILESTONE = "handover";
// tests/webapi/field/test_interrupted.py sends 1,000.
const SENDS = IS_FULL ? 20 : 10;

journey("a partner's day: written offline, sent when back, published, in the giver's email, seen", async (visit, site) => {
  const times = new Stopwatch();
  const ama = await site.ama();
  await site.put("/user/update-profile", { language: "fr" }, ama.token);
  await site.put("/user/update-profile", { emailChoice: "at-once" }, ama.token);
  const { link } = await newLink(site, "fr");
  await becomeSlow(visit.page);
  await visit.page.goto(link);
  await visit.sees("Cette page fonctionne aussi sans réseau.");
  await isKept(visit.page);
  await visit.looksRight();
  times.note("page opened and kept");
  visit.expectLosses(/./);
  await visit.page.context().setOffline(true);
  const phone = await reopened(visit.page, link);
  await phone.getByText("Pas de réseau.").waitFor();
  await phone.getByLabel("Ce qui s’est passé").fill("De l’eau à 62 mètres");
  await phone.getByLabel("Racontez").fill("Tout le village est venu.\n\nLa pompe arrive lundi.");
  await phone.getByLabel("Ajouter des photos").setInputFiles(await photos(phone, 3, 2400));
  await phone.locator(".photos li").nth(2).waitFor();
  times.note("three photos made small");
  await phone.getByLabel("Étape atteinte").selectOption(MILESTONE);
  await phone.getByRole("button", { name: "Envoyer le rapport" }).click();
  await phone.getByText("Répondez à la question").waitFor();
  await phone.getByLabel("Oui, je leur ai demandé").check();
  await phone.getByRole("button", { name: "Envoyer le rapport" }).click();
  await phone.getByText("attend le réseau").waitFor();
  times.note("written offline");
  const later = await reopened(visit.page, link, phone);
  await later.getByText("De l’eau à 62 mètres").waitFor();
  await later.context().setOffline(false);
  await becomeSlow(later);
  await later.getByText("Arrivé, attend l’organisation").waitFor({ timeout: 120_000 });
  times.note("sent at 50 kbit/s");
  const row = (await waiting(site)).find(({ title }) => title === "De l’eau à 62 mètres");
  expect(row).toMatchObject({ title: "De l’eau à 62 mètres", photos: 3, state: "waiting" });
  const shown = JSON.parse(await site.jara("field", "show", row?.id ?? "", "--json")) as {
    readonly photos: readonly { readonly fault: string }[];
  };
  expect(shown.photos.map(({ fault }) => fault)).toEqual(["", "", ""]);
  await site.jara("field", "publish", row?.id ?? "", "--complete", "--yes");
  times.note("published");
  const email = await site.textOfMailTo(ama.email, "a franchi une étape");
  times.note("email to the giver");
  const share = await shareOf(site, ama.token);
  expect(share).not.toBe("0,00");
  expect(email).toContain(`Voici ce qu’ont fait vos ${share}`);
  expect(email).toContain(`versés à ce projet jusqu’ici, ${share}\u{a0}$\u{a0}US venaient de vous.`);
  expect(email).toContain("Tout le village est venu.");
  const [picture = ""] = /\/media\/[0-9a-f]{64}\.\w+/.exec(email) ?? [];
  const last = await reopened(visit.page, link, later);
  await last.getByText("Publié", { exact: true }).waitFor();
  await last.close();
  await visit.signInAs(ama);
  const home = await visit.page.context().newPage(); // the giver's line is not the partner's
  await home.goto(`${site.origin}/my-impact`);
  const lead = home.getByRole("listitem").filter({ hasText: "Tout le village est venu." }).last();
  await lead.getByText(`Your $${share.replace(",", ".")} so far led here`).waitFor();
  expect(await lead.getByRole("img").getAttribute("src")).toBe(picture);
  times.note("seen on /my-impact");
  times.print();
  await home.close();
}, [360]);

/** What the member's money paid of the project so far, by the trace, as French writes it. */
async function shareOf(site: Organisation, token: string): Promise<string> {
  const answer = await fetch(`${site.origin}/api/user/impact`, { headers: { authorization: `Bearer ${token}` } });
  const { funds } = (await answer.json()) as {
    readonly funds: { readonly projects: { readonly paid: readonly { readonly account: string; readonly cents: number }[] } };
  };
  const own = funds.projects.paid.filter(({ account }) => account === `expenses:projects:${PROJECT}`);
  const cents = own.reduce((sum, paid) => sum + paid.cents, 0);
  return new Intl.NumberFormat("fr", { minimumFractionDigits: 2 }).format(cents / 100);
}

/** The times of a day, from one step to the next. */
class Stopwatch {
  readonly #begun = performance.now();
  readonly #steps: string[] = [];

  note(step: string): void {
    this.#steps.push(`${((performance.now() - this.#begun) / 1000).toFixed(1).padStart(6)} s  ${step}`);
  }

  print(): void {
    console.log(["A partner's day:", ...this.#steps].join("\n"));
  }
}

journey("interrupted sends lose nothing and double nothing", async (visit, site) => {
  const { link } = await newLink(site, "en", "long-tray");
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
  const all = (JSON.parse(await site.jara("field", "list", "--all", "--json")) as readonly Row[])
    .filter(({ title }) => title.startsWith("Report "))
    .map(({ title, photos: count }) => `${title}: ${count}`);
  expect(all.toSorted()).toEqual(Array.from({ length: SENDS }, (_, number) => `Report ${number}: 2`).toSorted());
}, [390]);

journey("two windows send one report, and what is typed in the other stays", async (visit, site) => {
  const { other, title } = await writeInTwoWindows(visit, site);
  await Promise.all([
    visit.page.getByRole("button", { name: "Send report" }).click(),
    other.getByRole("button", { name: "Send report" }).click(),
  ]);
  // It is last if the first has sent it whole by then.
  await other.getByText(/Arrived, waits|from another window/).first().waitFor();
  expect((await waiting(site)).filter((report) => report.title === title)).toHaveLength(1);
  await other.close();
}, [390]);

journey("what another window has sent is not sent again, and stays as a draft", async (visit, site) => {
  const { other, title } = await writeInTwoWindows(visit, site);
  await visit.page.getByRole("button", { name: "Send report" }).click();
  await visit.page.getByText("Arrived, waits").first().waitFor();
  await other.getByText("Arrived, waits").first().waitFor();
  await other.getByRole("button", { name: "Send report" }).click();
  await other.getByText(/from another window/).waitFor();
  expect(await other.getByLabel("Tell more").inputValue()).toBe("Once.");
  await isStored(other, title);
  expect((await waiting(site)).filter((report) => report.title === title)).toHaveLength(1);
  await other.close();
}, [390]);

journey("a report that has arrived is not said to wait", async (visit, site) => {
  await visit.page.goto((await newLink(site, "en")).link);
  await visit.page.getByLabel("What happened").fill("Sent at once");
  await visit.page.getByLabel("Tell more").fill("There is a network.");
  await visit.page.getByRole("button", { name: "Send report" }).click();
  await visit.sees("The report has arrived. The organisation reads it before anybody else does.");
  expect(await visit.page.getByText("goes out as soon as there is a network").count()).toBe(0);
}, [390]);

journey("a phone with the links of two projects offers both", async (visit, site) => {
  const { link: one } = await newLink(site, "en");
  const { link: other } = await newLink(site, "en", "Partner", "terrace-farming-co-op");
  await visit.page.goto(one);
  await visit.page.getByRole("heading", { name: "Clean water boreholes" }).waitFor();
  await visit.page.goto("about:blank");
  await visit.page.goto(other);
  await visit.page.getByRole("navigation").getByRole("link", { name: "Clean water boreholes" }).click();
  await visit.page.getByRole("heading", { name: "Clean water boreholes" }).waitFor();
}, [390]);

journey("what is typed last stays when another project is opened at once", async (visit, site) => {
  const links = [await newLink(site, "en"), await newLink(site, "en", "Partner", "terrace-farming-co-op")];
  const [own = "", other = ""] = links.map(({ link }) => link);
  await visit.page.goto(own);
  await visit.page.getByLabel("What happened").fill("Typed last");
  await visit.page.evaluate((hash) => location.assign(hash), new URL(other).hash);
  await visit.page.getByRole("heading", { name: "Terrace farming" }).waitFor();
  await visit.page.goto(own);
  await visit.page.getByRole("heading", { name: "Clean water boreholes" }).waitFor();
  expect(await visit.page.getByLabel("What happened").inputValue()).toBe("Typed last");
}, [390]);

journey("a link that was ended says so, and keeps the text", async (visit, site) => {
  const { link, name } = await newLink(site, "en", "ended");
  await visit.page.goto(link);
  await visit.page.getByLabel("What happened").fill("Still here");
  await visit.page.getByLabel("Tell more").fill("Not lost.");
  await isStored(visit.page, "Still here");
  await site.jara("partners", "revoke", name);
  visit.expectEndOfLink();
  await visit.page.reload();
  await visit.sees("This link was ended by the organisation.");
  expect(await visit.page.getByLabel("What happened").inputValue()).toBe("Still here");
  const renewed = JSON.parse(await site.jara("partners", "link", name, "--json")) as { readonly address: string };
  await visit.page.getByRole("button", { name: "Send report" }).click();
  await visit.page.goto(hereOf(renewed.address, site));
  await visit.sees("Arrived, waits for the organisation");
}, [390]);

/** Writes a report, which a second window of the phone opens too. */
async function writeInTwoWindows(visit: Visit, site: Organisation): Promise<{ readonly other: Page; readonly title: string }> {
  const { link } = await newLink(site, "en");
  const title = `Seen ${link.slice(-8)}`; // another at each try
  await visit.page.goto(link);
  await visit.page.getByLabel("What happened").fill(title);
  await visit.page.getByLabel("Tell more").fill("Once.");
  await isStored(visit.page, title);
  const other = await visit.page.context().newPage();
  await other.goto(link);
  await other.getByLabel("Tell more").waitFor();
  expect(await other.getByLabel("What happened").inputValue()).toBe(title);
  return { other, title };
}
