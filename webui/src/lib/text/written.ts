import { LANGUAGE } from "./messages";

/** What the API says of a document's languages. */
type Told = {
  readonly language?: string;
  readonly original?: Readonly<Record<string, unknown>> | null;
};

/** The attribute for an element with a text of the organisation that is not in the page's language. */
export function writtenIn(item: object, key: string): { readonly lang?: string } {
  const { language = "en", original } = item as Told;
  const isTranslated = original?.[key] !== undefined;
  return isTranslated || language === LANGUAGE ? {} : { lang: language };
}

/** A text as it was written, by which a drawing is chosen in every language. */
export function originalText<K extends string>(item: Readonly<Record<K, string>>, key: K): string {
  return ((item as Told).original?.[key] as string | undefined) ?? item[key];
}

/** The texts that a translation replaced, as they were written; none without a translation. */
export function originalOf(item: object): readonly (readonly [string, string])[] {
  const entries = Object.entries((item as Told).original ?? {});
  return entries.map(([key, text]) => [key, [text].flat().join("\n")] as const);
}
