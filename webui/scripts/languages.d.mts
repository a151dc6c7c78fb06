export const languages: readonly string[];
export function readCatalogue(language: string, name: string): Record<string, string>;
export function translationFile(language: string, name: string): string;
export function catalogueFolder(language: string): string;
