import { setupI18n, type Messages } from "@lingui/core";
import { Fragment, type ReactNode } from "react";

/** The language of the built site; every catalogue lives in src/messages/<language>/. */
export const LOCALE = "en";

type Values = Readonly<Record<string, string | number>>;

/** Gives the text of a message, with its values filled in (ICU MessageFormat). */
export type Translate<Key extends string> = (key: Key, values?: Values) => string;

/** Reads a catalogue; the build has compiled its messages. */
export function translator<Key extends string>(
  catalogue: Readonly<Record<Key, string>>,
): Translate<Key> {
  const i18n = setupI18n({
    locale: LOCALE,
    messages: { [LOCALE]: catalogue as unknown as Messages },
  });
  return (key, values) => i18n._(key, values === undefined ? undefined : { ...values });
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
    // The parts of one sentence never change places.
    // oxlint-disable-next-line react/no-array-index-key
    return <Fragment key={index}>{render === undefined ? part : render(part)}</Fragment>;
  });
}
