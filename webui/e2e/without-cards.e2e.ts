import { readFileSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { runJara } from "./support/jara.ts";
import { castVote, openSite, USUAL_LANGUAGES } from "./support/journeys.ts";
import { newPerson } from "./support/organisation.ts";
import { everyAddress, MEMBER_PAGES } from "./support/pages.ts";
import type { Visit } from "./support/visit.ts";

// A live organisation that takes no cards, on an English phone and in full runs on a French one.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MESSAGES = { en: "webui/src/messages/en", fr: "src/jara/languages/fr/site" };
type Language = keyof typeof MESSAGES;

/** What nobody may read where it is missing, by language: the table of the tests of emails and texts. */
const ABSENT = JSON.parse(readFileSync(path.join(ROOT, "tests/absent.json"), "utf8")) as Record<string, Record<Language, string>>;
const REFERENCE = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/;
const INTERAC = "Interac: give@sankofa.example";

for (const language of USUAL_LANGUAGES) {
  const { journey } = openSite({}, async (context) => {
    await context.setExtraHTTPHeaders({ "Accept-Language": `${language}-CA` });
  }, undefined, "block", associationWithoutCards);

  journey(`somebody joins by transfer, pays and votes, ${language}`, async (visit, site) => {
    const person = newPerson();
    await introduce(visit, language, person);
    await visit.press(await says(language, "joining.next"));
    await visit.arrivesAt("/join?step=2");
    await saysNothingOfCards(visit, language);
    await visit.press(await says(language, "joining.next"));
    await visit.arrivesAt("/join?step=3");
    await visit.sees(await says(language, "promise.agree"));
    await saysNothingOfCards(visit, language);
    await visit.looksRight();
    await visit.press(await says(language, "promise.join"));
    await visit.sees(await says(language, "promise.joined"));
    await visit.sees(INTERAC);
    const reference = await shownReference(visit);
    await saysNothingOfCards(visit, language);
    await visit.looksRight();
    const mail = await site.textOfMailTo(person.email, INTERAC);
    expect(mail).toContain(reference);
    expectNoCards(mail, language);

    await visit.link(await says(language, "promise.joined.go")).click();
    await visit.arrivesAt("/dashboard");
    await visit.sees(await says(language, "promise.waiting"));
    expect(await shownReference(visit), "on the dashboard").toBe(reference);
    await saysNothingOfCards(visit, language);
    await visit.looksRight();

    await site.jara("payments", "receive", reference, "10");
    const slug = await site.openProposal(`Roofs ${language}`, new Date(Date.now() + 9 * 86_400_000));
    await visit.go(`/proposals/${slug}`);
    await visit.press(await says(language, "voting.cast"));
    await castVote(visit, language === "fr" ? "Oui" : "Yes");
    await visit.dialog.getByText(await says(language, "vote-dialog.dialog.counted")).waitFor();
    await saysNothingOfCards(visit, language);
    for (const address of Object.values(MEMBER_PAGES)) {
      if (address === MEMBER_PAGES["sandbox-billing"]) continue;
      await visit.go(address);
      await saysNothingOfCards(visit, language);
    }
  });

  journey(`a gift by transfer shows its reference, ${language}`, async (visit, site) => {
    const { email } = newPerson();
    await visit.go("/donate");
    await saysNothingOfCards(visit, language);
    await visit.field(await says(language, "donating.email")).fill(email);
    await visit.press(await says(language, "promise.gift.go"));
    await visit.sees(await says(language, "promise.gift.noted"));
    await visit.sees(INTERAC);
    const reference = await shownReference(visit);
    await saysNothingOfCards(visit, language);
    await visit.looksRight();
    expect(await site.textOfMailTo(email, reference)).toContain(INTERAC);

    await site.jara("payments", "receive", reference, "25");
    const receipt = await site.textOfMailTo(email, language === "fr" ? "Merci" : "Thank you");
    expectNoCards(receipt, language);
  });

  journey(`an invited member chooses a password and is shown how to pay, ${language}`, async (visit, site) => {
    const { firstname, lastname, email, password } = newPerson();
    const named = ["--firstname", firstname, "--lastname", lastname, "--email", email, "--country", "Canada"];
    await site.jara("members", "invite", ...named);
    await site.jara("payments", "promise", email, "10");
    await visit.go(await site.linkInMailTo(email, "/reset-password"));
    await visit.sees(await says(language, "session.reset.first-text"));
    await visit.looksRight();
    for (const label of ["new", "repeat"]) {
      await visit.field(await says(language, `session.reset.${label}`)).fill(password);
    }
    await visit.press(await says(language, "session.reset.set-go"));
    await visit.sees(await says(language, "session.reset.first-done-text"));
    await visit.link(await says(language, "session.to-login")).click();
    await visit.field(await says(language, "session.email")).fill(email);
    await visit.field(await says(language, "session.password")).fill(password);
    await visit.press(await says(language, "session.sign-in"));
    await visit.arrivesAt("/");
    await visit.go("/dashboard");
    await visit.sees(INTERAC);
    await saysNothingOfCards(visit, language);
  });

  journey(`no public page that the server sends speaks of cards, ${language}`, async (visit, site) => {
    const context = await visit.page.context().browser()?.newContext({
      extraHTTPHeaders: { "Accept-Language": language },
      javaScriptEnabled: false,
      viewport: { width: visit.width, height: 844 },
    });
    const page = await context?.newPage();
    if (page === undefined) throw new Error("No browser.");
    for (const address of everyAddress().filter((one) => !/:|sandbox/.test(one))) {
      await page.goto(`${site.origin}${address}`); // with its styles: what they hide is not read
      expectNoCards(await page.locator("body").innerText(), language, address);
    }
    await context?.close();
  });
}

/** Creates an organisation in a folder of its own, with members who pay by Interac. */
async function associationWithoutCards(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "jara-e2e-no-cards-"));
  await writeFile(path.join(folder, "jara.toml"), 'cards = "none"\n');
  const jara = async (...words: readonly string[]) => await runJara(folder, ["--db", "jara.db", ...words]);
  await jara("init", "--currency", "CAD");
  await jara("organisation", "set", "--name", "Jara", "--address", "12 Harbour Road, Toronto", "--effective", "today");
  await jara("payments", "ways", "set", "transfer", "--account", "assets:bank", "--details", INTERAC);
  return folder;
}

/** Completes the first step of joining. */
async function introduce(visit: Visit, language: Language, person: ReturnType<typeof newPerson>): Promise<void> {
  await visit.go("/join");
  for (const name of ["firstname", "lastname", "email", "password"] as const) {
    await visit.field(await says(language, `joining.${name}`)).fill(person[name]);
  }
  await visit.field(await says(language, "joining.country")).selectOption("Ghana");
  await visit.field(new RegExp((await says(language, "joining.privacy")).replace(/<.*/, ""))).check();
  await saysNothingOfCards(visit, language);
}

/** A text of the site: "promise.gift.go" is "gift.go" of promise.json. */
async function says(language: Language, name: string): Promise<string> {
  const [file = "", ...key] = name.split(".");
  const texts = JSON.parse(await readFile(path.join(ROOT, MESSAGES[language], `${file}.json`), "utf8")) as Record<string, string>;
  const text = texts[key.join(".")];
  if (text === undefined) throw new Error(`There is no text ${name}.`);
  return text;
}

async function shownReference(visit: Visit): Promise<string> {
  const shown = visit.page.getByText(REFERENCE).filter({ visible: true }).first();
  return REFERENCE.exec(await shown.innerText())?.[0] ?? "";
}

/** Checks the page's text, its title and what is read out. */
async function saysNothingOfCards(visit: Visit, language: Language): Promise<void> {
  await visit.settle();
  const said = await visit.page.evaluate(() => {
    const labels = [...document.querySelectorAll("[aria-label], [alt]")];
    const named = labels.map((one) => one.getAttribute("aria-label") ?? one.getAttribute("alt"));
    return [document.title, document.body.innerText, ...named].join("\n");
  });
  expectNoCards(said, language, visit.address);
}

function expectNoCards(text: string, language: Language, place = "the email"): void {
  for (const missing of ["cards", "sandbox"]) {
    const never = new RegExp(`[^\n]*(?:${ABSENT[missing]?.[language]})[^\n]*`, "i");
    expect(never.exec(text)?.[0] ?? "", place).toBe("");
  }
}
