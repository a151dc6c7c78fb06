// The texts of the page in every language: a phone keeps one page, whatever language its partner reads.

declare const PAGE_TEXTS: Readonly<Record<string, Readonly<Record<string, string>>>>;

let language = document.documentElement.lang;
/** What the page is for: texts whose name ends so go first. */
let kind = "";

/** Reads in a language, or in English if the page has no texts in it. */
export function speak(code: string, about = ""): void {
  kind = about;
  language = code in PAGE_TEXTS ? code : "en";
  document.documentElement.lang = language;
}

export function spoken(): string {
  return language;
}

/** A text with its values. */
export function say(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  const texts = PAGE_TEXTS[language] ?? PAGE_TEXTS["en"];
  const text = texts?.[`${name}${kind}`] ?? texts?.[name] ?? name;
  return text.replaceAll(/\{(\w+)\}/g, (_, slot: string) => String(values[slot] ?? ""));
}

/** A day such as 2026-11-30 as people write it. */
export function sayDay(day: string): string {
  const style = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(say("language"), style).format(new Date(`${day}T00:00:00Z`));
}

/** An amount such as 45.50 as people write it. */
export function sayMoney(currency: string, amount: string): string {
  return new Intl.NumberFormat(say("language"), { style: "currency", currency }).format(Number(amount));
}
