import bookedTexts from "@/messages/en/booked.json";
import { booked } from "@/books.json";
import { translator } from "./messages";

const t = translator(bookedTexts);

type Key = keyof typeof bookedTexts;

/** What the server writes into the books itself, in English, with the text of this language. */
const WORDS = new Map(booked.map((written) => [written, t(keyOf(written))]));

/** What the books call by other words than the reader's language, which has a text like this for it. */
export function wordsInBooks(searched: string): string[] {
  const wanted = folded(searched);
  const found = [...WORDS].filter(
    ([written, shown]) => folded(shown).includes(wanted) && !folded(written).includes(wanted),
  );
  return found.map(([written]) => written);
}

/** Lower case and without accents, as people type when they search. */
export function folded(words: string): string {
  return words.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase();
}

/** Words of the books in the reader's language; what people wrote stays. */
export function bookedText(written: string): string {
  return WORDS.get(written) ?? written;
}

/** The key of the catalogue for words of the books: `Card fees` becomes `card-fees`. */
function keyOf(written: string): Key {
  return written.toLowerCase().replaceAll(/[^a-z]+/g, "-") as Key;
}
