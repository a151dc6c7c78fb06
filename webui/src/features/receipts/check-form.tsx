import { useState, type ChangeEvent, type FormEvent } from "react";
import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import { Field, TextArea } from "@/components/field/field";
import { lazyPart } from "@/components/lazy-part/lazy-part";
import receiptTexts from "@/messages/en/receipts.json";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import { readReceipt } from "@/lib/models/receipt";
import { storedReceipts } from "@/lib/session/ballot-storage";
import { useSignedIn } from "@/lib/session/session";
import { readBallotLeaf } from "./ballot";
import { TrustedKeys } from "./trusted-keys";
import { useReceiptCheck, type CheckState, type TypedKeys } from "./use-receipt-check";
import styles from "./check-form.module.css";

const t = translator(receiptTexts);
// Loaded on demand: there is nothing to show before a check.
const CheckResults = lazyPart(async () => (await import("./check-results")).CheckResults);

/** Checks a receipt from a file or pasted text. */
export function CheckForm() {
  const [text, setText] = useState("");
  const [typed, setTyped] = useState<TypedKeys>({ keys: "", quorum: "" });
  const [state, checkWith] = useReceiptCheck();
  const check = (content: string) => checkWith(content, typed);
  const pick = async (event: ChangeEvent<HTMLInputElement>) => {
    const content = (await event.target.files?.[0]?.text()) ?? "";
    setText(content);
    await check(content);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void check(text);
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <KeptReceipts
        onCheck={(content) => {
          setText(content);
          void check(content);
        }}
      />
      <Field
        accept=".json,application/json"
        help={t("file.help")}
        inputClassName={styles.file}
        label={t("file.label")}
        onChange={(event) => void pick(event)}
        type="file"
      />
      <TextArea
        autoComplete="off"
        error={inputError(state)}
        label={t("paste.label")}
        onChange={(event) => setText(event.target.value)}
        placeholder={t("paste.placeholder")}
        rows={6}
        spellCheck={false}
        value={text}
      />
      <TrustedKeys hasError={state.status === "no-keys"} onType={setTyped} typed={typed} />
      <Button busy={state.status === "running" && t("checking")} size="lg" type="submit">
        {t("check")}
      </Button>
      <CheckOutcome state={state} />
    </form>
  );
}

/** The receipts that this browser has, to be checked without looking for the file. */
function KeptReceipts({ onCheck }: { readonly onCheck: (receipt: string) => void }) {
  const signedIn = useSignedIn();
  const kept = signedIn ? storedReceipts().flatMap((one) => readReceipt(one) ?? []) : [];
  const proposals = useResource("/user/get-proposals", kept.length > 0).data;
  if (kept.length === 0) return null;
  return (
    <section aria-labelledby="kept-receipts" className="stack">
      <h2 className={styles.title} id="kept-receipts">
        {t("here")}
      </h2>
      {kept.map((receipt) => {
        const id = readBallotLeaf(receipt.leafBytes)?.proposal ?? "";
        const title = proposals?.find((one) => one.id === id)?.title ?? id;
        return (
          <Button key={receipt.leaf} kind="line" onClick={() => onCheck(JSON.stringify(receipt))}>
            {t("here.check", { title })}
          </Button>
        );
      })}
    </section>
  );
}

/** The result of a check, if any. */
export function CheckOutcome({ state }: { readonly state: CheckState }) {
  if (state.status === "no-crypto") return <Alert kind="warning">{t("no-crypto")}</Alert>;
  if (state.status !== "done") return null;
  const { at, receipt, result, witnesses } = state;
  return <CheckResults at={at} receipt={receipt} result={result} witnesses={witnesses} />;
}

function inputError(state: CheckState): string | null {
  if (state.status === "empty") return t("unreadable-empty");
  return state.status === "unreadable" ? t("unreadable") : null;
}
