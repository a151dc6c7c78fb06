export const languages: readonly string[];
export function readCatalogue(language: string, name: string): Record<string, string>;
