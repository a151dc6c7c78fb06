import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";
import type { Organisation } from "./support/organisation.ts";
import { claimLink } from "./support/partner.ts";
import { isKept, photos, reopened } from "./support/phone.ts";

// A volunteer who claims what they paid, with the page of partners (src/field).

const { journey } = openSite({ JARA_LIMIT_FIELD_LINK: "1000000/h" }, undefined, undefined, "allow");

type Row = { readonly id: string; readonly state: string; readonly shop: string; readonly amount: string; readonly twice: boolean };

/** The claims of this journey; the demo has others. */
async function claims(site: Organisation): Promise<readonly Row[]> {
  const rows = JSON.parse(await site.jara("claims", "list", "--all", "--json")) as readonly Row[];
  return rows.filter(({ shop }) => shop === "Marché de Makola");
}

journey("a volunteer's claim: offline, sent when back, approved, paid back", async (visit, site) => {
  const link = await claimLink(site, "Kofi Owusu", "fr"); // Kofi Addo has claims in the demo
  await visit.page.goto(link);
  await visit.sees("Vous demandez au nom de Kofi Owusu.");
  await isKept(visit.page);
  await visit.looksRight();
  visit.expectLosses(/./);
  visit.expectRefusals(409); // "twice?"
  await visit.page.context().setOffline(true);
  const phone = await reopened(visit.page, link);
  await phone.getByText("Pas de réseau.").waitFor();
  const press = async () => await phone.getByRole("button", { name: "Envoyer la demande" }).click();
  await press();
  await phone.getByText("Prenez le reçu en photo.").waitFor();
  await phone.getByLabel("Prendre ou choisir une photo").setInputFiles(await photos(phone, 1, 2400));
  await phone.locator(".photos li").first().waitFor();
  await press();
  await phone.getByText("Indiquez le montant, le jour").waitFor();
  await phone.getByLabel("Montant du reçu").fill("45,555");
  await press();
  await phone.getByText("peut vouloir dire").waitFor();
  await phone.getByLabel("Montant du reçu").fill("45,50");
  await phone.getByLabel("Monnaie").selectOption("KES");
  await phone.getByLabel("Ce que cela vous a coûté en USD").fill("0,35");
  await phone.getByLabel("Qui a été payé").fill("Marché de Makola");
  await phone.getByLabel("Pour quoi").selectOption("Food for meetings");
  await phone.getByLabel("Où vous rembourser").fill("MTN 024 555 0199");
  await press();
  await phone.getByText("Dites d’où vient le montant").waitFor();
  await phone.getByLabel("Monnaie").selectOption("USD");
  await press();
  await phone.getByText("attend le réseau").waitFor();
  await phone.context().setOffline(false);
  await phone.getByText("Arrivé, attend l’organisation").waitFor({ timeout: 60_000 });
  await phone.getByText("45,50\u{a0}$US, Marché de Makola").waitFor();
  const [row] = await claims(site);
  expect(row).toMatchObject({ state: "waiting", amount: "$45.50", twice: false });

  await phone.getByLabel("Prendre ou choisir une photo").setInputFiles(await photos(phone, 1, 1800));
  await phone.locator(".photos").getByRole("listitem").first().waitFor();
  await phone.getByLabel("Montant du reçu").fill("45,50");
  await phone.getByLabel("Qui a été payé").fill("Marché de Makola");
  await phone.getByLabel("Pour quoi").selectOption("Food for meetings");
  await phone.getByLabel("Où vous rembourser").fill("MTN 024 555 0199");
  await press();
  await phone.getByText("Vous avez déjà demandé").first().waitFor();
  await press();
  await phone.getByText("Cochez que vous avez payé deux fois").waitFor();
  await phone.getByLabel("J’ai payé deux fois").check();
  await press();
  await phone.getByText("Arrivé, attend l’organisation").nth(1).waitFor({ timeout: 60_000 });
  expect((await claims(site)).map(({ twice }) => twice)).toEqual([true, true]);

  await site.jara("claims", "approve", row?.id ?? "", "--yes");
  const later = await reopened(visit.page, link, phone);
  await later.getByText("Acceptée, sera remboursée").waitFor();
  await site.jara("claims", "pay", row?.id ?? "", "--yes");
  const last = await reopened(visit.page, link, later);
  await last.getByText("Remboursée", { exact: true }).waitFor();
  await last.close();
  expect(await site.textOfMailTo("kofi@example.org", "Remboursée")).toContain("Marché de Makola");
}, [390]);

for (const language of ["en", "fr"]) {
  journey(`the amount of a claim, ${language}`, async (visit, site) => {
    await visit.page.goto(await claimLink(site, `Kofi ${language}`, language));
    await visit.page.locator("#photos").setInputFiles(await photos(visit.page, 1, 400));
    await visit.page.locator(".photos li").waitFor();
    const send = visit.page.locator("button.action");
    for (const field of ["#amount", "#cost"]) {
      if (field === "#cost") await visit.page.locator("#currency").selectOption("XOF");
      for (const typed of ["412.5.5", "abc", "-5", "0"]) {
        await visit.page.locator(field).fill(typed);
        await send.click();
        await visit.page.locator(".problem:not([hidden])", { hasText: typed }).waitFor();
      }
      await visit.page.locator(field).fill("1 234");
    }
    await send.click();
    await visit.sees(language === "fr" ? /^Indiquez le montant/ : /^Please fill in the amount/);
  }, [390]);
}
