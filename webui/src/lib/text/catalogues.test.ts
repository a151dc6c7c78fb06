import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { catalogueFolder, languages, translationFile } from "../../../scripts/languages.mjs";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { parseAst } from "vite";
import { describe, expect, test } from "vitest";

const SOURCE = path.resolve("src");
const translations = languages.filter((language) => language !== "en");
const catalogues = namesIn("en");

// Names, formats and words of both languages.
const SAME: ReadonlySet<string> = new Set(
  `Jara,LinkedIn,X,WhatsApp,Facebook,CSV,JSON,Beancount,SHA-256,Stripe,CVC,IBAN,Photo,Document,Type,Menu,
  Agriculture,Contributions,Contribution,Description,Budget,Total,Message,Date,Votes,Finances,Active,Notifications,
  organisation,province,Diaspora,Europe`.split(
    /,\s*/,
  ),
);
// Words that are in most English sentences and in no sentence of the other languages.
const ENGLISH =
  /(?<!\p{L})(?:the|and|with|your|you|is|was|were|this|that|have|has|from|been|will|when|what|which|we|our|they|their|it|its|to|of|be|by|how|who|why|yes|pledge|ledger|loading|please)(?!\p{L})/iu;

/** What no page may say where something is missing; src/app/configurations.isolated.test.tsx looks for it in English. */
const ABSENT = JSON.parse(readFileSync("../tests/absent.json", "utf8")) as Readonly<Record<string, Readonly<Record<string, string>>>>;
/** Texts that name it in another language alone, and why they may. */
const NAMED_ALONE: Readonly<Record<string, string>> = {
  "booked.payout-to-the-bank": "of entries that are booked",
  "booked.payout-returned": "of entries that are booked",
  "booked.payout-arrived-in-the-bank": "of entries that are booked",
  "receipts.bad-text": "of a receipt that is wrong",
  "whole-log.bad-text": "of a log that is wrong",
};

/** Words that are no plural of the number before them: the same in both. */
const UNCOUNTED: ReadonlySet<string> = new Set(["après", "dans", "has", "mois", "plus", "yes"]);
/** French words that are plural with the value beside them, or with an amount before the whole text. */
const PLURAL_AROUND = /^(?:versés|dépensés|reçus|rendus|donnés|remboursés|prévus)(?!\p{L})|(?:(?<!\p{L})(?:vos|les|ont (?:\p{L}+ )?|sont \p{L}+s|font|valent|viennent)\s\{(\w+)\})|\{(\w+)\}\s(?:ont|vont|sont|\p{L}+(?:[éiu]s|ent))(?!\p{L})/gu;
/** Counts, which are two or more here, or have a plural form of their own. */
const COUNTS: ReadonlySet<string> = new Set(["all", "count", "squares", "target"]);

describe.each(translations)("the texts in %s", (language) => {
  test("are in the same catalogues as the English ones", () => {
    expect(namesIn(language)).toEqual(catalogues);
  });

  test("are on a preview image too, drawn by scripts/draw-share-pictures.mjs", () => {
    expect(existsSync(translationFile(language, "share.png"))).toBe(true);
  });

  test.each(catalogues)("have the keys of %s, in the same order", (name) => {
    expect(Object.keys(read(language, name))).toEqual(Object.keys(read("en", name)));
  });

  test.each(catalogues)("have the placeholders and elements of %s", (name) => {
    const own = read(language, name);
    for (const [key, text] of Object.entries(read("en", name))) {
      expect(slotsOf(own[key] ?? ""), key).toEqual(slotsOf(text));
    }
  });

  test.each(catalogues.filter((name) => name !== "language"))("translate %s", (name) => {
    const own = read(language, name);
    const same = Object.entries(read("en", name)).filter(
      ([key, text]) =>
        own[key] === text && /\p{L}{2}/u.test(wordsOf(text)) && !SAME.has(text) && key !== "note.fr",
    );
    expect(same).toEqual([]);
  });

  test.each(Object.entries(ABSENT))("name %s only where English does", (_, words) => {
    const [own, english] = [language, "en"].map((one) => new RegExp(words[one] ?? "", "iu"));
    const alone = catalogues.flatMap((name) => {
      const originals = read("en", name);
      const texts = Object.entries(read(language, name)).filter(([key, text]) => own?.test(text) && !english?.test(originals[key] ?? ""));
      return texts.map(([key]) => `${name}.${key}`);
    });
    expect(alone.filter((key) => !(key in NAMED_ALONE))).toEqual([]);
  });

  test.each(catalogues)("have no English words in %s", (name) => {
    const left = Object.entries(read(language, name)).filter(
      ([, text]) => ENGLISH.test(wordsOf(text)),
    );
    expect(left).toEqual([]);
  });
});

test.each(catalogues)("French is set as French is: %s", (name) => {
  const wrong = Object.entries(read("fr", name)).filter(
    ([, text]) =>
      /['"]|[^\u202f\d] ?[;!?»](?!\w)|[^\u202f\d:/]:(?![/\d])|«[^\u202f]|\d [%$]|\d \d{3}(?!\d)/u.test(plain(text)),
  );
  expect(wrong).toEqual([]);
});

test.each(["en", ...translations])("one of a thing is written as one, in %s", (language) => {
  const texts = catalogues.flatMap((name) => Object.entries(read(language, name)));
  const counts = new Set(texts.flatMap(([, text]) => [...text.matchAll(/\{(\w+), plural/g)].map(([, count]) => count)));
  const wrong = texts.filter(([, text]) =>
    [...text.matchAll(/\{(\w+)(?:, number)?\}\s(\p{L}+)/gu)].some(
      ([, count, word = ""]) => counts.has(count) && /\p{L}{2}s$/u.test(word) && !UNCOUNTED.has(word),
    ),
  );
  expect(wrong).toEqual([]);
});

test.each(catalogues)("French agrees with each amount: below two it is singular, in %s", (name) => {
  const wrong = Object.entries(read("fr", name)).filter(([, text]) =>
    [...text.matchAll(PLURAL_AROUND)].some(([, after = "", before = after]) => !COUNTS.has(before)),
  );
  expect(wrong).toEqual([]);
});

test.each(filesIn(SOURCE))("no text stands in %s itself", (file) => {
  expect(textsOf(parseAst(readFileSync(path.join(SOURCE, file), "utf8"), { lang: "tsx" }))).toEqual([]);
});

test("the search for texts finds them", () => {
  const page = `<p title="Two words" className="x">Three {a} <b aria-label={c ? "more" : t("d")}>words</b></p>`;
  expect(textsOf(parseAst(`const x = ${page};`, { lang: "tsx" }))).toEqual(["Two words", "Three", "more", "words"]);
});

function namesIn(language: string): string[] {
  return readdirSync(catalogueFolder(language)).map((file) => path.basename(file, ".json"));
}

function read(language: string, name: string): Record<string, string> {
  return JSON.parse(readFileSync(path.join(catalogueFolder(language), `${name}.json`), "utf8")) as Record<string, string>;
}

/** The names of a text's placeholders, and its elements. */
function slotsOf(text: string): string[] {
  const elements = [...text.matchAll(/<\/?\w+>/g)].map(([tag]) => tag);
  return [...new Set([...placeholders(compileMessage(text)), ...elements])].toSorted();
}

function placeholders(message: unknown): string[] {
  if (!Array.isArray(message)) return [];
  return message.flatMap((piece: unknown) => {
    if (!Array.isArray(piece)) return [];
    const [name, , choices] = piece as [string, string?, Record<string, unknown>?];
    return [`{${name}}`, ...Object.values(choices ?? {}).flatMap(placeholders)];
  });
}

/** A text without placeholders, elements and addresses. */
function wordsOf(text: string): string {
  return plain(text).replaceAll(/<\/?\w+>|https?|@\w+/g, " ");
}

/** A text without the syntax of placeholders and plural forms. */
function plain(text: string): string {
  return text.replaceAll(/\{\w+, number\}|\{\w+, \w+,|(?:=\d+|one|two|few|other|up) \{|\{\w+\}|[{}]/g, " ");
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx") && !file.startsWith("testing"),
  );
}

const SPOKEN = new Set(["aria-label", "aria-description", "aria-valuetext", "alt", "title", "placeholder", "label"]);

/** The texts in JSX and in attributes that are read aloud or shown. */
function textsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf);
  if (typeof node !== "object" || node === null) return [];
  const { type, value, name } = node as { type?: string; value?: unknown; name?: { name?: string } };
  if (type === "JSXText") return isText(value) ? [value.trim()] : [];
  if (type === "JSXAttribute" && SPOKEN.has(name?.name ?? "")) {
    const { value: written } = (value ?? {}) as { value?: unknown };
    return isText(written) ? [written] : literalsOf(value);
  }
  return Object.values(node).flatMap(textsOf);
}

/** The strings that an attribute may have; arguments of functions are keys. */
function literalsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(literalsOf);
  if (typeof node !== "object" || node === null) return [];
  const { type, value, test: _condition, ...rest } = node as { type?: string; value?: unknown; test?: unknown };
  if (type === "CallExpression" || type === "MemberExpression" || type === "BinaryExpression") return [];
  if (type === "JSXElement") return textsOf(node);
  if (type === "Literal") return isText(value) ? [value] : [];
  return Object.values({ value, ...rest }).flatMap(literalsOf);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && /\p{L}{2}/u.test(value);
}
