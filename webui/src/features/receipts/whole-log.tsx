import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import logTexts from "@/messages/en/whole-log.json";
import type { Receipt } from "@/api/schema";
import { translator } from "@/lib/text/messages";
import { fateText } from "./fate-text";
import { useLogCheck, type LogCheckState } from "./use-log-check";

const t = translator(logTexts);

/** Optional check of the whole log, leaf by leaf. */
export function WholeLog({ receipt }: { readonly receipt: Receipt }) {
  const [state, check] = useLogCheck(receipt);
  return (
    <div className="stack">
      <p className="muted">{t("text")}</p>
      <Button
        busy={state.status === "running" && t("checking")}
        kind="line"
        onClick={() => void check()}
      >
        {t("check")}
      </Button>
      <Outcome receipt={receipt} state={state} />
    </div>
  );
}

function Outcome({
  receipt,
  state,
}: {
  readonly receipt: Receipt;
  readonly state: LogCheckState;
}) {
  if (state.status === "idle" || state.status === "running") return null;
  if (state.status !== "done") return <p role="status">{t(state.status)}</p>;
  const { at, fate, found, size } = state;
  if (!found.holds) {
    return (
      <Alert kind="danger" title={t("bad", { index: found.firstBad ?? 0 })}>
        <p>{t("bad-text")}</p>
      </Alert>
    );
  }
  const sentence = fateText(fate, receipt, at);
  if (fate === "missing") {
    return (
      <Alert kind="danger" title={sentence}>
        <p>{t("bad-text")}</p>
      </Alert>
    );
  }
  return (
    <p role="status">
      {t("good-promise", { count: size })} {sentence}
    </p>
  );
}
