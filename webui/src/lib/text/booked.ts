import bookedTexts from "@/messages/en/booked.json";
import commonTexts from "@/messages/en/common.json";
import { booked } from "@/books.json";
import { translator } from "./messages";

const t = translator(bookedTexts);
const common = translator(commonTexts);

type Key = keyof typeof bookedTexts;

/** What the server writes into the books itself, in English, with the text of this language. */
const WORDS = new Map(booked.map((written) => [written, t(keyOf(written))]));
const SAMPLE = " (sample)";

/** What the books call by other words than the reader's language, which has a text like this for it. */
export function wordsInBooks(searched: string): string[] {
  const wanted = folded(searched);
  const found = [...WORDS].filter(
    ([written, shown]) => folded(shown).includes(wanted) && !folded(written).includes(wanted),
  );
  const isSample = folded(common("sample")).includes(wanted);
  return [...found.map(([written]) => written), ...(isSample ? [SAMPLE.trim()] : [])];
}

/** Lower case and without accents, as people type when they search. */
export function folded(words: string): string {
  return words.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase();
}

/** Words of the books in the reader's language, apart from the word that they are about a sample; what people wrote stays. */
export function bookedParts(written: string): { readonly text: string; readonly isSample: boolean } {
  const known = WORDS.get(written);
  if (known !== undefined || !written.endsWith(SAMPLE)) return { text: known ?? written, isSample: false };
  return { text: written.slice(0, -SAMPLE.length), isSample: true };
}

/** The key of the catalogue for words of the books: `Card fees` becomes `card-fees`. */
function keyOf(written: string): Key {
  return written.toLowerCase().replaceAll(/[^a-z]+/g, "-") as Key;
}
