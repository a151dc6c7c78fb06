import accessibilityTexts from "@/messages/en/accessibility.json";
import { useSiteConfig } from "@/lib/models/config";
import { mailPath } from "@/lib/page/paths";
import { rich, translator } from "@/lib/text/messages";

const t = translator(accessibilityTexts);

const WORKS = ["works.keyboard", "works.reader", "works.look", "works.scripts"] as const;
const LIMITS = ["limits.card", "limits.content"] as const;

/** What works for everybody, what does not, and whom to tell. */
export function AccessibilityStatement() {
  const contact = useSiteConfig().data?.contactEmail ?? null;
  return (
    <div className="wrap section">
      <div className="prose">
        <h1>{t("title")}</h1>
        <p>{t("aim")}</p>
        <h2>{t("works")}</h2>
        <Points keys={WORKS} />
        <h2>{t("limits")}</h2>
        <Points keys={LIMITS} />
        <h2>{t("checked")}</h2>
        <p>{t("checked.text")}</p>
        {contact === null ? null : (
          <>
            <h2>{t("help")}</h2>
            <p>{rich(t("help.mail"), { mail: (inner) => <a href={mailPath(contact)}>{inner}</a> })}</p>
          </>
        )}
      </div>
    </div>
  );
}

function Points({ keys }: { readonly keys: readonly (keyof typeof accessibilityTexts)[] }) {
  return (
    <ul>
      {keys.map((key) => (
        <li key={key}>{t(key)}</li>
      ))}
    </ul>
  );
}
