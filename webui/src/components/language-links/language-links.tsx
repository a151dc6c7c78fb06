import type { MouseEvent } from "react";
import { LANGUAGES } from "@/lib/text/languages";
import { LANGUAGE } from "@/lib/text/messages";

/** Links to this page in the other languages; they work without scripts too. */
export function LanguageLinks({ onChoose }: { readonly onChoose: (language: string) => void }) {
  const choose = (event: MouseEvent, language: string) => {
    // A new tab is the browser's affair.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onChoose(language);
  };
  return LANGUAGES.filter(([code]) => code !== LANGUAGE).map(([code, name]) => (
    <li key={code}>
      <a href={`?lang=${code}`} hrefLang={code} lang={code} onClick={(event) => choose(event, code)}>
        {name}
      </a>
    </li>
  ));
}
