import { useSearchParams } from "react-router-dom";
import { ResourceView } from "@/components/resource-view/resource-view";
import { RichHtml } from "@/components/rich-html/rich-html";
import { Skeleton } from "@/components/skeleton/skeleton";
import legalTexts from "@/messages/en/legal.json";
import type { LegalFirst } from "@/lib/api/calls";
import { useResource } from "@/lib/api/resource";
import { translator } from "@/lib/text/messages";
import styles from "./legal-text.module.css";

const t = translator(legalTexts);

/** Placeholders that the build writes and the server fills. */
export const LEGAL_SLOTS: LegalFirst = { version: "", html: "{{first.html}}" };

/** The terms or the privacy text, in the version that the address names. */
export function LegalText({ name }: { readonly name: "terms" | "privacy" }) {
  const version = useSearchParams()[0].get("version") ?? "";
  // Never requested: it comes with the page or not at all.
  const first = useResource(`/legal/${name}#text`, false).data;
  const isSent = first !== null && first.version === version;
  const query = version === "" ? "" : `?version=${encodeURIComponent(version)}`;
  const state = useResource(`/legal/${name}${query}`, !isSent);
  return (
    <div className={`wrap section ${styles.page}`}>
      {isSent ? (
        <RichHtml html={first.html} />
      ) : (
        <ResourceView heading={t(name)} skeleton={<Skeleton shape="block" />} state={state} what={t("error")}>
          {(text) => <RichHtml html={text.html} />}
        </ResourceView>
      )}
    </div>
  );
}
