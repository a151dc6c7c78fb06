import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { GOOD_CARD } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";
import { newPerson } from "./support/organisation.ts";
import type { Visit } from "./support/visit.ts";

const FRENCH = { "Accept-Language": "fr-CA,fr;q=0.9,en;q=0.4" };
// What is searched in the ledger, and what every row found then says.
const FRENCH_WORDS = [
  ["mensuelle", "Contribution mensuelle"],
  ["don unique", "Don unique"],
  ["DEPENSE", "Dépense"],
] as const;
const BEES = "/proposals/beekeeping-kits-for-24-farming-families";

const { journey } = openSite({}, (context: BrowserContext) => context.setExtraHTTPHeaders(FRENCH));

journey("somebody with a French browser joins, votes, reads English, and French again", async (visit) => {
  await visit.go("/");
  await visit.sees("Comment ça marche");
  await visit.looksRight();
  await join(visit);
  await visit.looksRight();

  await visit.go(BEES);
  await visit.press("Voter");
  await visit.dialog.getByRole("button", { name: "Oui" }).click();
  await visit.dialog.getByRole("button", { name: "Voter oui. C’est définitif." }).click();
  await visit.dialog.getByText("Votre vote a été compté...").waitFor();
  await visit.looksRight();
  await visit.page.keyboard.press("Escape");

  await visit.go("/dashboard?tab=account");
  await visit.sees("Vos coordonnées");
  expect(await visit.button("Français").getAttribute("aria-pressed")).toBe("true");
  await visit.looksRight();
  await visit.press("English");
  await visit.sees("Your details");
  await visit.settle();
  expect([visit.address, await languageOf(visit.page)]).toEqual(["/dashboard?tab=account", "en"]);
  expect(await visit.button("English").getAttribute("aria-pressed"), "kept").toBe("true");
  await visit.go("/");
  await visit.sees("How it works");

  await visit.go("/dashboard?tab=account&lang=fr");
  await visit.sees("Vos coordonnées");
  expect(await visit.button("Français").getAttribute("aria-pressed"), "the page's").toBe("true");
  expect(await visit.button("English").getAttribute("aria-pressed"), "the emails'").toBe("false");
  await visit.sees("Vos courriels sont en anglais.");
  await visit.press("English");
  await visit.sees("Your details");
  await visit.go("/");
  await visit.sees("How it works");

  await visit.link("Français").click();
  await visit.sees("Comment ça marche");
  expect([visit.address, await languageOf(visit.page)]).toEqual(["/", "fr"]);
  await visit.go("/dashboard?tab=account");
  await visit.sees("Vos coordonnées");
  expect(await visit.button("Français").getAttribute("aria-pressed"), "kept").toBe("true");
});

journey("a reader without scripts reads French, and chooses English for all pages", async (visit, site) => {
  const browser = visit.page.context().browser();
  const context = await browser?.newContext({
    viewport: { width: visit.width, height: 844 },
    extraHTTPHeaders: FRENCH,
    javaScriptEnabled: false,
  });
  const page = await context?.newPage();
  if (page === undefined) throw new Error("No browser.");
  await page.goto(`${site.origin}${BEES}`);
  const shown = await page.locator("main").innerText();
  expect(shown).toContain("Toutes les propositions");
  expect(shown).toContain("Zambie");
  expect(shown).toMatch(/\d\u00a0\$\u00a0US/);
  // Without scripts Playwright cannot wait for a link to be clickable.
  const english = page.getByRole("link", { name: "English" });
  await page.goto(new URL((await english.getAttribute("href")) ?? "", page.url()).href);
  expect(await page.locator("main").innerText()).toContain("All proposals");
  await page.goto(`${site.origin}/proposals`);
  expect(await languageOf(page)).toBe("en");
  await context?.close();
});

for (const path of ["/", "/join", BEES, "/ledger", "/impact", "/projects/clean-water-boreholes", "/donate", "/faqs"]) {
  journey(`${path} fits in French`, async (visit) => {
    await visit.go(path);
    await visit.looksRight();
    await visit.fitsEverywhere();
  });
}

journey("the pages of a member fit in French", async (visit, site) => {
  await visit.signInAs(await site.ama());
  for (const path of ["/dashboard", "/dashboard?tab=account", "/my-impact", "/ledger"]) {
    await visit.go(path);
    await visit.looksRight();
  }
});

journey("regions, countries and the ledger's search are French", async (visit, site) => {
  const ama = await site.ama();
  await site.put("/user/update-profile", { country: "Jamaica" }, ama.token);
  await visit.signInAs(ama);
  await visit.go("/dashboard");
  const regions = visit.page.getByRole("region", { name: "Présence par région" });
  await regions.getByText("Amérique latine").waitFor();
  expect(await regions.innerText()).toMatch(/Afrique[^]*Caraïbes[^]*Amérique du Nord/);

  await visit.go("/grants");
  await visit.sees(/Kingston, Jamaïque/);
  await visit.go(BEES);
  await visit.sees("Zambie");
  await visit.go("/dashboard?tab=account");
  await visit.sees(/^Jamaïque$/);

  await visit.go("/ledger");
  const rows = visit.page.getByRole("region", { name: "Opérations en temps réel" }).getByRole("listitem");
  for (const [word, found] of FRENCH_WORDS) {
    await visit.field("Recherche").fill(word);
    await visit.page.keyboard.press("Enter");
    await visit.settle();
    await rows.getByText(found).first().waitFor();
    const others = (await rows.allInnerTexts()).filter((row) => !row.includes(found));
    expect(others, word).toEqual([]);
  }
});

async function join(visit: Visit): Promise<void> {
  const person = newPerson();
  await visit.go("/join");
  await visit.field("Prénom").fill(person.firstname);
  await visit.field("Nom").fill(person.lastname);
  await visit.field("Courriel").fill(person.email);
  await visit.field("Mot de passe").fill(person.password);
  await visit.field("Pays").selectOption({ label: "Sénégal" });
  await visit.field(/J’accepte la/).check();
  await visit.press("Suivant");
  await visit.arrivesAt("/join?step=2");
  await visit.looksRight();
  await visit.press("Suivant");
  await visit.sees(/Vous serez débité de 10,00\s\$\sUS aujourd’hui/);
  await visit.field("Numéro de carte").fill(GOOD_CARD);
  await visit.field("Expiration").fill("0939");
  await visit.field("CVC").fill("123");
  await visit.looksRight();
  await visit.press("Rejoindre Jara");
  await visit.isTold("Paiement réussi");
  await visit.arrivesAt("/dashboard");
  await visit.page.getByRole("heading", { name: person.firstname }).waitFor();
}

async function languageOf(page: Page): Promise<string | null> {
  return await page.locator("html").getAttribute("lang");
}
