import { useState, type FormEvent } from "react";
import { useSearchParams } from "react-router-dom";
import { Button } from "@/components/button/button";
import { Field } from "@/components/field/field";
import tracingTexts from "@/messages/en/tracing.json";
import { apiDownload, ApiError } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import { saveFile } from "@/lib/ui/save-file";
import styles from "./statement-download.module.css";

const t = translator(tracingTexts);

/** The member's statement of any period as a file; by default of the address's period, else of this year. */
export function StatementDownload({ today }: { readonly today: string }) {
  const [asked] = useSearchParams();
  const [from, setFrom] = useState(asked.get("from") ?? `${today.slice(0, 4)}-01-01`);
  const [to, setTo] = useState(asked.get("to") ?? today);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [isPage, setIsPage] = useState(false);
  const failure = useFailureNotice();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isWrong = from === "" || to === "" || to < from;
    setError(isWrong ? t("statement.wrong") : null);
    if (isWrong) return;
    setBusy(true);
    setIsPage(false);
    failure.dismiss();
    try {
      setIsPage((await download(`from=${from}&to=${to}`, `${from}-${to}`)) === "html");
    } catch (refusal) {
      failure.show(refusal);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby="statement" className={styles.statement}>
      <h2 id="statement">{t("statement.title")}</h2>
      <p className="muted">{t("statement.text")}</p>
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <Field
          label={t("statement.from")}
          onChange={(event) => setFrom(event.target.value)}
          type="date"
          value={from}
        />
        <Field
          error={error ?? undefined}
          label={t("statement.to")}
          onChange={(event) => setTo(event.target.value)}
          type="date"
          value={to}
        />
        <Button busy={busy ? t("statement.busy") : false} kind="line" type="submit">
          {t("statement.go")}
        </Button>
      </form>
      <p className="muted" role="status">
        {isPage ? t("statement.page") : null}
      </p>
    </section>
  );
}

/** Saves a PDF, or the same as a page that prints well where the server makes none; returns which. */
async function download(query: string, period: string): Promise<"pdf" | "html"> {
  try {
    saveFile(`${t("statement.file")}-${period}.pdf`, await apiDownload(`/user/statement.pdf?${query}`));
    return "pdf";
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.code === "pdf_not_installed")) throw failure;
    saveFile(`${t("statement.file")}-${period}.html`, await apiDownload(`/user/statement.html?${query}`));
    return "html";
  }
}
