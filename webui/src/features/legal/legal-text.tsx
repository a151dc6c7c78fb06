import type { ComponentProps } from "react";
import { Alert } from "@/components/alert/alert";
import { RichPart } from "@/components/rich-html/rich-html";
import legalTexts from "@/messages/en/legal.json";
import { hasSandboxPayments, useSiteConfig, type SiteConfig } from "@/lib/config";
import { translator } from "@/lib/messages";
import styles from "./legal-text.module.css";

const t = translator(legalTexts);

/** A heading, a paragraph or a list. */
export type LegalPart = ComponentProps<typeof RichPart>;

/** A legal text with what the server knows filled in; what is left stays as a visible blank. */
export function LegalText({ parts }: { readonly parts: readonly LegalPart[] }) {
  const config = useSiteConfig().data;
  // Part by part: the browser draws anew only those in which a blank was filled.
  const filled = parts.map(({ tag, html }) => ({ tag, html: fill(html, config) }));
  return (
    <div className={`wrap section ${styles.page}`}>
      {filled.some(({ html }) => /\[[a-z ]+\]/.test(html)) ? (
        <Alert kind="warning">
          <p>{t("blanks")}</p>
        </Alert>
      ) : null}
      <div className="prose">
        {filled.map((part, place) => (
          // oxlint-disable-next-line react/no-array-index-key
          <RichPart key={place} {...part} />
        ))}
      </div>
    </div>
  );
}

function fill(html: string, config: SiteConfig | null): string {
  const known = config === null ? {} : knownValues(config);
  return html.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = known[name];
    return value == null || value === "" ? `[${name.replaceAll("_", " ")}]` : escapeHtml(value);
  });
}

function knownValues(config: SiteConfig): Readonly<Record<string, string | null>> {
  return {
    organisation: config.organisation,
    contact_email: config.contactEmail,
    site_url: config.siteUrl,
    payment_provider: hasSandboxPayments(config) ? t("provider.sandbox") : t("provider.stripe"),
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
