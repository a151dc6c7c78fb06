import type { BrowserContext } from "playwright-core";
import { GOOD_CARD } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";
import { newPerson } from "./support/organisation.ts";
import { fitsEveryReader } from "./support/own-style.ts";
import { size } from "./support/soak.ts";
import { addressOf, everyAddress, openPage, MEMBER_PAGES, PUBLIC_PAGES } from "./support/pages.ts";

// Text at twice its size and with the spacing of WCAG 1.4.12, in French, whose words are the longest,
// on the narrowest phones: all of it at once, on every page.

const FRENCH = { "Accept-Language": "fr" };
const BEES = PUBLIC_PAGES.proposal;
const { journey } = openSite({}, (context: BrowserContext) => context.setExtraHTTPHeaders(FRENCH));
// The width at which pages are opened; they are checked at those of own-style.ts.
const PHONE = [390];

for (const address of [...everyAddress(), "/no-such-page", "/proposals/no-such-proposal"]) {
  journey(`${address} has nothing cut off`, async (visit, site) => {
    if (address.includes("no-such")) visit.expectStatus(404, address);
    await openPage(visit, site, address);
    await fitsEveryReader(visit.page);
  }, PHONE);
}

for (const address of Object.values(MEMBER_PAGES)) {
  journey(`${address} of a member has nothing cut off`, async (visit, site) => {
    await visit.signInAs(await site.ama());
    await visit.go(address);
    await fitsEveryReader(visit.page);
  }, PHONE);
}

journey("without scripts nothing is cut off", async (visit, site) => {
  const context = await visit.page.context().browser()?.newContext({
    viewport: { width: visit.width, height: 844 },
    extraHTTPHeaders: FRENCH,
    javaScriptEnabled: false,
    reducedMotion: "reduce",
  });
  const page = await context?.newPage();
  if (page === undefined) throw new Error("No browser.");
  for (const address of everyAddress().slice(0, size(6, 100, 100))) {
    await page.goto(`${site.origin}${await addressOf(site, address)}`);
    await fitsEveryReader(page);
  }
  await context?.close();
}, PHONE);

journey("the menu has nothing cut off", async (visit) => {
  await visit.go("/");
  await visit.press("Ouvrir le menu");
  await visit.dialog.waitFor();
  await fitsEveryReader(visit.page);
}, PHONE);

journey("the steps of joining have nothing cut off, nor have their faults", async (visit) => {
  const person = newPerson();
  await visit.go("/join");
  await visit.field("Courriel").fill("nobody");
  await visit.field("Mot de passe").fill("short");
  await visit.field("Prénom").fill(person.firstname);
  await fitsEveryReader(visit.page);
  await visit.field("Nom").fill(person.lastname);
  await visit.field("Courriel").fill(person.email);
  await visit.field("Mot de passe").fill(person.password);
  await visit.field("Pays").selectOption({ label: "Sénégal" });
  await visit.field(/J’accepte la/).check();
  await visit.press("Suivant");
  await visit.arrivesAt("/join?step=2");
  await fitsEveryReader(visit.page);
  await visit.page.locator("input[inputmode]").first().fill("0");
  await fitsEveryReader(visit.page);
  await visit.page.locator("input[inputmode]").first().fill("10");
  await visit.press("Suivant");
  await visit.field("Numéro de carte").fill("4242 4242 4242 4241");
  await fitsEveryReader(visit.page);
  await visit.field("Numéro de carte").fill(GOOD_CARD);
  await visit.field("Expiration").fill("0939");
  await visit.field("CVC").fill("123");
  await visit.press("Rejoindre Jara");
  await visit.isTold("Paiement réussi");
  // A touch stays on the page.
  await visit.page.keyboard.press("Shift");
  await fitsEveryReader(visit.page);
}, PHONE);

journey("a vote and its check have nothing cut off", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go(BEES);
  await visit.press("Voter");
  await visit.dialog.getByRole("button", { name: "Oui" }).waitFor();
  await fitsEveryReader(visit.page);
  await visit.dialog.getByRole("button", { name: "Oui" }).click();
  await visit.dialog.getByRole("button", { name: "Voter oui. C’est définitif." }).click();
  await visit.dialog.getByText("Votre vote a été compté...").waitFor();
  await fitsEveryReader(visit.page);
  await visit.go("/check-vote");
  await visit.press(/^Vérifier mon vote sur/);
  await visit.sees(/^Promis/);
  await fitsEveryReader(visit.page);
}, PHONE);

journey("the account's editors and dialogs have nothing cut off", async (visit, site) => {
  await visit.signInAs(await site.newMember({ firstname: "Wolfeschlegelsteinhausen", lastname: "Keihanaikukauakahihuliheekahaunaele" }));
  await visit.go("/dashboard");
  await visit.press("Changer");
  await fitsEveryReader(visit.page);
  await visit.go("/dashboard?tab=account");
  for (const editor of ["Modifier le nom", "Modifier le courriel", "Modifier le mot de passe"]) {
    await visit.press(editor);
  }
  await fitsEveryReader(visit.page);
  for (const question of ["Arrêter mon don mensuel", "Fermer le compte"]) {
    await visit.press(question);
    await visit.dialog.waitFor();
    await fitsEveryReader(visit.page);
    await visit.page.keyboard.press("Escape");
    await visit.dialog.waitFor({ state: "detached" });
  }
}, PHONE);

journey("the choice of emails behind a link has nothing cut off", async (visit, site) => {
  const member = await site.newMember();
  await visit.go(await site.linkInMailTo(member.email, "/emails"));
  await visit.page.locator("summary").first().click();
  await fitsEveryReader(visit.page);
}, PHONE);

journey("what did not load has nothing cut off", async (visit) => {
  visit.expectLosses(/\/api\//);
  await visit.page.route(/\/api\//, (route) => route.abort("connectionreset"));
  for (const address of ["/projects", "/my-impact", BEES]) {
    await visit.go(address);
    await fitsEveryReader(visit.page);
  }
}, PHONE);

journey("the page of partners has nothing cut off", async (visit, site) => {
  const words = ["partners", "add", "Bornes-fontaines", "--project", "clean-water-boreholes", "--language", "fr", "--json"];
  const { pathname, hash } = new URL((JSON.parse(await site.jara(...words)) as { readonly address: string }).address);
  await visit.page.goto(`${site.origin}${pathname}${hash}`);
  await visit.page.locator("#title").waitFor();
  await visit.press("Envoyer le rapport");
  await fitsEveryReader(visit.page);
  await visit.page.getByLabel("Ce qui s’est passé").fill("De l’eau à 62 mètres");
  await visit.page.getByLabel("Racontez").fill("Tout le village est venu.");
  await visit.press("Envoyer le rapport");
  await visit.sees("Arrivé, attend l’organisation");
  await fitsEveryReader(visit.page);
}, PHONE);
