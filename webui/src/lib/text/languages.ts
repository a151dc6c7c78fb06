/** The languages of the site by their codes, each in its own words: `["fr", "Français"]`. */
export const LANGUAGES: readonly (readonly [string, string])[] = Object.entries(
  JSON.parse(import.meta.env.JARA_LANGUAGES) as Readonly<Record<string, string>>,
);

const PARAMETER = "lang";

/** Loads the page in another language. The server keeps the choice in a cookie. */
export function showIn(language: string): void {
  const address = new URL(window.location.href);
  address.searchParams.set(PARAMETER, language);
  window.location.assign(address.href);
}

/** Takes the choice of a language out of the address, so that it is not shared or bookmarked. */
export function forgetChoice(): void {
  const address = new URL(window.location.href);
  if (!address.searchParams.has(PARAMETER)) return;
  address.searchParams.delete(PARAMETER);
  window.history.replaceState(window.history.state, "", address.href);
}
