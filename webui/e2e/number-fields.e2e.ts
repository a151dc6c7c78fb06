import type { BrowserContext, Locator } from "playwright-core";
import { expect, test } from "vitest";
import { castVote, openSite, widthsIn } from "./support/journeys.ts";
import { modulesWith } from "./support/modules.ts";
import { newPerson } from "./support/organisation.ts";
import { newLink, waiting } from "./support/partner.ts";
import type { Visit } from "./support/visit.ts";

// Every number field takes the reader's own form and the other language's, and says what is wrong.
const LANGUAGES = {
  en: {
    none: /^“.+” is not a number\. Write digits\.$/,
    decimals: /^“.+” has too many decimals\. Write at most 2\.$/,
    wrong: "can mean 12,505 or 12.505. If you mean the first, write 12505.",
    ambiguous: "12.505",
    grouped: "12,505",
    small: "The minimum pledge is $5.",
    large: "The most you can pledge here is $999 a month.",
    whole: "Enter a whole amount, without decimals.",
    limits: /^Enter an amount from \$1 to \$999,999/,
    next: "Next",
    change: "Change it",
    start: "Start my pledge",
    keys: "Check with keys from elsewhere (optional)",
    check: "Check my vote",
  },
  fr: {
    none: /^«\s.+\s» n’est pas un nombre\. Écrivez des chiffres\.$/,
    decimals: /^«\s.+\s» a trop de décimales\. Écrivez-en 2 au plus\.$/,
    wrong: "peut vouloir dire 12\u00a0505 ou 12,505. Pour le premier, écrivez 12505.",
    ambiguous: "12,505",
    grouped: "12\u202f505",
    small: "Le don mensuel minimal est de 5\u00a0$\u00a0US.",
    large: "Vous pouvez donner au plus 999\u00a0$\u00a0US par mois ici.",
    whole: "Entrez un montant entier, sans décimales.",
    limits: /^(?:Saisissez|Entrez) un montant de 1\s\$\sUS à 999\s999\s\$\sUS/,
    next: "Suivant",
    change: "Changer",
    start: "Commencer mon don mensuel",
    keys: "Vérifier avec des clés obtenues ailleurs (facultatif)",
    check: "Vérifier mon vote",
  },
} as const;
type Words = (typeof LANGUAGES)[keyof typeof LANGUAGES];
type Fault = { readonly [Typed in string]: string | RegExp };

/** The modules with number fields, and the journeys below that type into them. */
const TYPED_INTO = [
  "components/money-input/money-input.tsx", // of the next four
  "features/joining/amount-step.tsx",
  "features/pledge/amount-editor.tsx",
  "features/pledge/promise-form.tsx",
  "features/pledge/start-pledge.tsx",
  "features/donating/gift-form.tsx",
  "features/following/follow-page.tsx",
  "features/receipts/trusted-key-fields.tsx",
  "field/claim-form.ts", "field/report-form.ts", // the first in claims.e2e.ts
];
/** Digits that are no number: a card's. */
const NO_NUMBERS = ["components/card-form/sandbox-card-form.tsx"];

test("each module of the site that has a number field is typed into here", async () => {
  const fields = await modulesWith(/input[mM]ode\W+(?:decimal|numeric)|<MoneyInput\b|type="number"/);
  expect([...TYPED_INTO, ...NO_NUMBERS].toSorted()).toEqual(fields);
});

for (const language of ["en", "fr"] as const) {
  const say = LANGUAGES[language];
  const { journey } = openSite({}, (context: BrowserContext) => context.setExtraHTTPHeaders({ "Accept-Language": language }));

  journey(`a gift, ${language}`, async (visit) => {
    await visit.go("/donate");
    const amount = visit.page.locator('input[name="amount"]');
    for (const [typed, dollars] of Object.entries(amounts(say))) {
      await amount.fill(typed);
      await visit.button(new RegExp(dollars)).waitFor();
    }
    await losesZeros(amount);
    const submit = visit.page.locator("main form button[type=submit]");
    await refuses(visit, amount, amountFaults(say), () => submit.click());
    await visit.looksRight();
  });

  journey(`a dollar followed, ${language}`, async (visit) => {
    await visit.go("/follow");
    const amount = visit.page.locator("main input[inputmode]");
    for (const [typed, dollars] of Object.entries(amounts(say))) {
      await amount.fill(typed);
      await amount.blur();
      await visit.page.getByRole("heading", { name: new RegExp(dollars) }).waitFor();
    }
    await losesZeros(amount);
    await refuses(visit, amount, amountFaults(say), () => amount.blur());
    await visit.looksRight();
  }, widthsIn(language));

  journey(`a pledge when joining, ${language}`, async (visit) => {
    await introduce(visit, say.next);
    const amount = visit.page.locator("form input[inputmode]");
    await refuses(visit, amount, pledgeFaults(say), () => visit.press(say.next));
    await losesZeros(amount);
    await amount.fill("7,00");
    await visit.press(say.next);
    await visit.arrivesAt("/join?step=3");
    await visit.sees(/7[.,]00/);
  }, widthsIn(language));

  journey(`a pledge changed, ${language}`, async (visit, site) => {
    await visit.signInAs(await site.newMember());
    await visit.go("/dashboard");
    await visit.press(say.change);
    const amount = visit.page.locator("form input[inputmode]").first();
    const submit = visit.page.locator("form button[type=submit]").first();
    const { abc: _, ...faults } = pledgeFaults(say);
    await refuses(visit, amount, faults, () => submit.click());
    await losesZeros(amount);
    // Spec §5: what is not a number counts as 0.
    await amount.fill("abc");
    await amount.blur();
    expect(await amount.inputValue()).toBe("0");
    await amount.pressSequentially("7");
    await amount.blur();
    expect(await amount.inputValue()).toMatch(/^70?$/);
    await amount.fill("12,00");
    await submit.click();
    await visit.sees(/^12\s?\$|\$12/);
  }, widthsIn(language));

  journey(`a pledge started again, ${language}`, async (visit, site) => {
    const member = await site.newMember();
    await site.put("/user/pledge", { canceled: true }, member.token);
    await visit.signInAs(member);
    await visit.go("/dashboard");
    await visit.press(say.start);
    const amount = visit.page.locator("form input[inputmode=decimal]");
    await refuses(visit, amount, pledgeFaults(say), () => amount.blur());
    await losesZeros(amount);
    await amount.fill("12,00");
    await visit.sees(/^12[.,]00\s?\$|\$12\.00/);
  }, widthsIn(language));

  journey(`a promise changed, ${language}`, async (visit, site) => {
    await site.jara("payments", "ways", "set", "cash", "--account", "assets:bank", "--details", "At the office.");
    const member = await site.newMember();
    await site.put("/user/pledge", { way: "cash" }, member.token);
    await visit.signInAs(member);
    await visit.go("/dashboard");
    await visit.press(language === "fr" ? "Changer le montant ou le moyen" : "Change amount or way");
    const amount = visit.page.locator("form input[inputmode=decimal]");
    await refuses(visit, amount, pledgeFaults(say), () => amount.blur());
    await losesZeros(amount);
    await amount.fill("12,00");
    await visit.press(language === "fr" ? "Modifier" : "Update");
    await amount.waitFor({ state: "detached" });
  }, widthsIn(language));

  journey(`how many witnesses, ${language}`, async (visit, site) => {
    await visit.signInAs(await site.newMember());
    await visit.go("/proposals/beekeeping-kits-for-24-farming-families");
    await visit.page.getByRole("main").getByRole("button").filter({ hasText: /Cast Vote|Voter/ }).first().click();
    await castVote(visit, language === "fr" ? "Oui" : "Yes");
    await visit.dialog.getByRole("button").filter({ hasText: /Share|Partager/ }).waitFor();
    await visit.go("/check-vote");
    await visit.page.getByText(say.keys).click();
    const quorum = visit.page.locator("form input[inputmode=numeric]");
    const check = visit.page.getByRole("button", { name: new RegExp(`^${say.check} `) });
    const whole = /has decimals\. Write a whole number|a des décimales\. Écrivez un nombre entier/;
    await refuses(visit, quorum, { "12,50": whole, "12.50": whole, [say.ambiguous]: say.wrong, abc: say.none }, () => check.click());
    await visit.looksRight();
    // No key is named, so that no witness can be needed.
    for (const typed of ["-5", "07", "1 234"]) {
      await quorum.fill(typed);
      await check.click();
      await visit.page.locator("textarea[aria-invalid=true]").last().waitFor();
    }
  }, widthsIn(language));

  journey(`the numbers of a partner's report, ${language}`, async (visit, site) => {
    const { link, name } = await newLink(site, language);
    await visit.page.goto(link);
    await visit.page.locator("#title").fill(name);
    await visit.page.locator("#text").fill("Counted today.");
    const number = visit.page.locator('input[id^="number-"]').first();
    const send = visit.page.locator("button.action");
    for (const typed of ["412.5.5", "abc"]) {
      await number.fill(typed);
      await send.click();
      await visit.page.locator(".problem:not([hidden])", { hasText: typed }).waitFor();
    }
    if (language === "fr") {
      await number.fill("12.505");
      await send.click();
      await visit.sees("peut vouloir dire 12\u00a0505 ou 12,505. Écrivez 12505 ou 12,505.");
    }
    await number.fill(language === "fr" ? "1\u00a0412.5" : "1.412,5");
    await send.click();
    await visit.sees(language === "fr" ? /^Arrivé/ : /^Arrived/);
    const row = (await waiting(site)).find(({ title }) => title === name);
    expect(await site.jara("field", "show", row?.id ?? "", "--json")).toMatch(/1412\.5/);
  });
}

/** Ways to write an amount with cents, and what the page shows of it. */
function amounts({ grouped }: Words): Readonly<Record<string, string>> {
  return {
    "12,50": "12[.,]50",
    "12.50": "12[.,]50",
    "1 234": "1[,\\s]234(?:[.,]00)?(?!\\d)",
    [grouped]: "12[,\\s]505(?:[.,]00)?(?!\\d)",
    "1.200,50": "1[,\\s]200[.,]50",
    "1,200.50": "1[,\\s]200[.,]50",
  };
}

function amountFaults({ ambiguous, wrong, limits, none, decimals }: Words): Fault {
  return { [ambiguous]: wrong, "12.5051": decimals, "-5": limits, abc: none };
}

function pledgeFaults({ ambiguous, wrong, whole, large, small, none }: Words): Fault {
  return { [ambiguous]: wrong, "12,50": whole, "12.50": whole, "1 234": large, "-5": small, abc: none };
}

/** Types what the field cannot take; each is refused in words that name the fault, and stays. */
async function refuses(visit: Visit, field: Locator, faults: Fault, submit: () => Promise<void>): Promise<void> {
  for (const [typed, fault] of Object.entries(faults)) {
    await field.fill(typed);
    await submit();
    await visit.sees(fault);
    expect((await field.inputValue()).replace(" ", ""), "what was typed").toBe(typed.replace(" ", ""));
    expect(await field.getAttribute("aria-invalid"), typed).toBe("true");
  }
}

async function losesZeros(field: Locator): Promise<void> {
  await field.fill("007");
  await field.blur();
  expect(await field.inputValue()).toBe("7");
}

async function introduce(visit: Visit, next: string): Promise<void> {
  const person = newPerson();
  await visit.go("/join");
  for (const name of ["firstname", "lastname", "email", "password"] as const) {
    await visit.page.locator(`input[name="${name}"]`).fill(person[name]);
  }
  await visit.page.locator('select[name="country"]').selectOption({ index: 3 });
  await visit.page.locator('input[name="privacyPolicy"]').check();
  await visit.press(next);
  await visit.arrivesAt("/join?step=2");
}
