import { Alert } from "@/components/alert/alert";
import { RichHtml } from "@/components/rich-html/rich-html";
import legalTexts from "@/messages/en/legal.json";
import { hasSandboxPayments, useSiteConfig, type SiteConfig } from "@/lib/config";
import { translator } from "@/lib/messages";
import styles from "./legal-text.module.css";

const t = translator(legalTexts);

/** A legal text with what the server knows filled in; what is left stays as a visible blank. */
export function LegalText({ html }: { readonly html: string }) {
  const config = useSiteConfig().data;
  const filled = fill(html, config);
  return (
    <div className={`wrap section ${styles.page}`}>
      {/\[[a-z ]+\]/.test(filled) ? (
        <Alert kind="warning">
          <p>{t("blanks")}</p>
        </Alert>
      ) : null}
      <RichHtml html={filled} />
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
