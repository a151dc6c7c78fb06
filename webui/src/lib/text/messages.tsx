import { Fragment, type ReactNode } from "react";
import { currencyName, currencyUnit } from "./currency";
import { numberFormat, pluralRules } from "./formatters";

/** The language of this build; see scripts/languages.mjs for its texts. */
export const LANGUAGE: string = import.meta.env.JARA_LANGUAGE;

/** Placeholders for the organisation's name, its genitive, and where the default is in capitals. */
const SLOTS = ["{{organisation}}", "{{organisations}}", "{{ORGANISATION}}"] as const;
const own = import.meta.env.SSR ? SLOTS[0] : document.documentElement.dataset["name"];

/** The organisation's name: its own, which the server writes into the page, or the default. */
export const ORGANISATION = own ?? "Jara";
/** True if the organisation has a name of its own. */
export const HAS_OWN_NAME = !import.meta.env.SSR && own !== undefined;

const genitive = import.meta.env.SSR ? SLOTS[1] : `${ORGANISATION}'${/s$/i.test(ORGANISATION) ? "" : "s"}`;

/** Placeholders that texts fill themselves. */
const OWN: Readonly<Record<string, () => string>> = { currency: currencyName, unit: currencyUnit };

/** A written amount and its number of units, with which a sentence may agree: French writes
 * "1,50 $ donné" and "2 $ donnés". */
export type Amount = { readonly text: string; readonly units: number };

type Values = Readonly<Record<string, string | number | Amount>>;

/** Returns the text of a message with its values filled in (ICU MessageFormat). */
export type Translate<Key extends string> = (key: Key, values?: Values) => string;

/**
 * A compiled message (Lingui's format): pieces of text and placeholders.
 * A placeholder is [name], [name, "number"] or [name, "plural" | "selectordinal" | "select", choices].
 */
type Message = string | readonly Piece[];
type Piece = string | readonly [string, string?, Choices?];
type Choices = Readonly<Record<string, Message>> & { readonly offset?: number };

/** Returns the translate function of a catalogue. */
export function translator<Key extends string>(
  catalogue: Readonly<Record<Key, string>>,
): Translate<Key> {
  const compiled = catalogue as unknown as Readonly<Record<Key, Message>>;
  return (key, values = {}) => fill(compiled[key], values);
}

/** Puts elements into a text: `rich("Agree to <policy>this</policy>", {policy: (t) => <a>{t}</a>})`. */
export function rich(
  text: string,
  elements: Readonly<Record<string, (inner: string) => ReactNode>>,
): ReactNode {
  const parts = text.split(/<(\w+)>(.*?)<\/\1>/);
  return parts.map((part, index) => {
    if (index % 3 === 1) return null;
    if (index % 3 === 0) return part;
    const render = elements[parts[index - 1] ?? ""];
    // The parts of a sentence never change places.
    // oxlint-disable-next-line react/no-array-index-key
    return <Fragment key={index}>{render === undefined ? part : render(part)}</Fragment>;
  });
}

function fill(message: Message, values: Values): string {
  if (typeof message === "string") return named(message);
  return message
    .map((piece) => (typeof piece === "string" ? named(piece) : place(piece, values)))
    .join("");
}

/** Puts the organisation's name in place of the default one. */
function named(text: string): string {
  if (own === undefined) return text;
  return text.replaceAll(/\b(Jara|JARA)\b('s)?/g, (_, name: string, s?: string) => {
    if (s !== undefined) return genitive;
    return import.meta.env.SSR && name === "JARA" ? SLOTS[2] : ORGANISATION;
  });
}

function place(
  [name, kind, choices]: readonly [string, string?, Choices?],
  values: Values,
): string {
  const given = values[name] ?? OWN[name]?.() ?? "";
  const [value, amount] = typeof given === "object" ? [given.text, given] : [given, null];
  if (choices === undefined) {
    // What must not be grouped, such as a year, is given as text.
    const isNumber = kind === "number" || typeof value === "number";
    return isNumber ? numberFormat().format(Number(value)) : value;
  }
  if (kind === "select") return fill(choices[String(value)] ?? choices["other"] ?? "", values);
  const count = amount?.units ?? Number(value) - (choices.offset ?? 0);
  const type = kind === "selectordinal" ? "ordinal" : "cardinal";
  const rule = pluralRules({ type }).select(count);
  const chosen =
    choices[`=${value}`] ?? choices[String(value)] ?? choices[rule] ?? choices["other"] ?? "";
  const text = typeof chosen === "string" ? [chosen] : chosen;
  return fill(
    text.map((piece) => (piece === "#" ? (amount?.text ?? numberFormat().format(count)) : piece)),
    values,
  );
}
