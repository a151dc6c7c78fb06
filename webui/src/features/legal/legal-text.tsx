import type { ComponentProps } from "react";
import { Alert } from "@/components/alert/alert";
import { RichPart } from "@/components/rich-html/rich-html";
import legalTexts from "@/messages/en/legal.json";
import { hasSandboxPayments, useSiteConfig, type SiteConfig } from "@/lib/models/config";
import { wordsOfRule } from "@/lib/models/vote-rule";
import { currencyName } from "@/lib/text/currency";
import { formatShortDollars } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import { pledgeDollarsMax, pledgeDollarsMin } from "@/rules.json";
import styles from "./legal-text.module.css";

const t = translator(legalTexts);

type Values = Readonly<Record<string, string | null>>;

const SLOT = /\{([a-z_]+)\}/g;

/** Placeholders that the build writes and the server fills. */
export const NAME_SLOTS: Readonly<Record<string, string>> = {
  organisation: "{{first.organisation}}",
  contact_email: "{{first.contact_email}}",
  site_url: "{{first.site_url}}",
  payment_provider: "{{first.payment_provider}}",
};

/** A heading, a paragraph or a list. */
export type LegalPart = ComponentProps<typeof RichPart>;

/** A legal text with the server's values filled in; unknown ones stay as a visible blank. */
export function LegalText({ parts }: { readonly parts: readonly LegalPart[] }) {
  const config = useSiteConfig().data;
  // The server's values that came with the page, so that nothing shifts at hydration.
  const names = useResource("/config#names", false).data;
  const values = { ...ruleValues(), ...(config === null ? names : knownValues(config)) };
  // One element per part: only those with a filled blank re-render.
  const filled = parts.map(({ tag, html }) => ({ tag, html: fill(html, values) }));
  return (
    <div className={`wrap section ${styles.page}`}>
      {parts.some(({ html }) => hasBlanks(html, values)) ? (
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

function fill(html: string, values: Values): string {
  return html.replaceAll(SLOT, (_, name: string) =>
    escapeHtml(values[name] || blankFor(name)),
  );
}

/** What stands for a value that is not known: "[effective date]". */
function blankFor(name: string): string {
  const key = `blank.${name}`;
  return `[${key in legalTexts ? t(key as keyof typeof legalTexts) : name.replaceAll("_", " ")}]`;
}

function hasBlanks(html: string, values: Values): boolean {
  return [...html.matchAll(SLOT)].some(([, name = ""]) => !values[name]);
}

/** The rules that the terms quote. */
function ruleValues(): Values {
  return {
    minimum: formatShortDollars(pledgeDollarsMin),
    maximum: formatShortDollars(pledgeDollarsMax),
    currency: currencyName(),
    threshold: wordsOfRule().threshold,
  };
}

function knownValues(config: SiteConfig): Values {
  return {
    organisation: config.legalName ?? config.organisation,
    contact_email: config.contactEmail,
    site_url: config.siteUrl,
    payment_provider: hasSandboxPayments(config) ? t("provider.sandbox") : t("provider.stripe"),
  };
}

function escapeHtml(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
