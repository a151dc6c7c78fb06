import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

// Everything in a language but English: texts of the site and the server, legal texts, a picture.
const TRANSLATIONS = path.resolve(import.meta.dirname, "../../src/jara/languages");

/** Every language of the site, English first. */
export const languages = [
  "en",
  ...readdirSync(TRANSLATIONS)
    .filter((name) => existsSync(translationFile(name, "site")))
    .toSorted(),
];

/** A file or folder of a translation. */
export function translationFile(language, name) {
  return path.join(TRANSLATIONS, language, name);
}

/** The folder of the catalogues of a language. */
export function catalogueFolder(language) {
  if (language === "en") return path.resolve(import.meta.dirname, "../src/messages/en");
  return translationFile(language, "site");
}

/** The texts of a catalogue; English where a translation is missing. */
export function readCatalogue(language, name) {
  return { ...readTexts("en", name), ...readTexts(language, name) };
}

function readTexts(language, name) {
  const file = path.join(catalogueFolder(language), `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}
