import { existsSync, readFileSync, readdirSync } from "node:fs";

const folder = new URL("../src/messages/", import.meta.url);

/** Every language of the site, English first: a folder of src/messages. */
export const languages = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .toSorted((one, other) => Number(other === "en") - Number(one === "en") || one.localeCompare(other));

/** The texts of a catalogue; English where a translation is missing. */
export function readCatalogue(language, name) {
  return { ...readTexts("en", name), ...readTexts(language, name) };
}

function readTexts(language, name) {
  const file = new URL(`${language}/${name}.json`, folder);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}
