import { Alert } from "@/components/alert/alert";
import { Button } from "@/components/button/button";
import logTexts from "@/messages/en/whole-log.json";
import { translator } from "@/lib/text/messages";
import type { LogState } from "./check-log";
import { useLogCheck, type LogCheckState } from "./use-log-check";

const t = translator(logTexts);

/** Optional check of the whole log, leaf by leaf. */
export function WholeLog({ receipt }: { readonly receipt: LogState }) {
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
      <Outcome state={state} />
    </div>
  );
}

function Outcome({ state }: { readonly state: LogCheckState }) {
  if (state.status === "idle" || state.status === "running") return null;
  if (state.status !== "done") return <p role="status">{t(state.status)}</p>;
  if (state.found.holds) return <p role="status">{t("good", { count: state.size })}</p>;
  return (
    <Alert kind="danger" title={t("bad", { index: state.found.firstBad ?? 0 })}>
      <p>{t("bad-text")}</p>
    </Alert>
  );
}
