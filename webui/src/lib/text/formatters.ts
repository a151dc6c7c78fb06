/** The locale of numbers, dates and plurals, from language.json of this build's language. */
export const LOCALE: string = import.meta.env.JARA_LOCALE;

// Built when first needed: a page's first formatter loads the browser's list of locales, which
// takes a cheap phone 50 ms, and many pages need none.
export const numberFormat = kept(Intl.NumberFormat);
export const dateFormat = kept(Intl.DateTimeFormat);
export const pluralRules = kept(Intl.PluralRules);

/** Keeps what was built for the same options. */
function kept<Options, Format>(
  Formatter: new (locale: string, options?: Options) => Format,
): (options?: Options, locale?: string) => Format {
  const formats = new Map<string, Format>();
  return (options, locale = LOCALE) => {
    const key = JSON.stringify([locale, options]);
    const format = formats.get(key) ?? new Formatter(locale, options);
    formats.set(key, format);
    return format;
  };
}
