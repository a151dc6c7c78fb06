/** Sample content of data/ in a language, for the about page. */
export function aboutSamples(language: string): { readonly projects: object[]; readonly entries: object[] };
