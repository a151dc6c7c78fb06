import { useState } from "react";
import { Button } from "@/components/button/button";
import { SettingsCard, SettingsRow } from "@/components/settings/settings";
import accountTexts from "@/messages/en/account.json";
import { apiGet, apiSend } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import { paths } from "@/lib/page/paths";
import { useMemberArea } from "@/lib/member/member-context";
import { useMemberAction } from "@/lib/member/use-member-action";

const account = translator(accountTexts);

/** Download of the member's data, and signing out everywhere. */
export function DataRows() {
  return (
    <SettingsCard title={account("data")}>
      <DownloadRow />
      <EverywhereRow />
    </SettingsCard>
  );
}

function DownloadRow() {
  const [busy, setBusy] = useState(false);
  const failure = useFailureNotice();
  const download = async () => {
    setBusy(true);
    failure.dismiss();
    try {
      saveFile(account("data.file"), await apiGet("/user/export"));
    } catch (error) {
      failure.show(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <SettingsRow first text={account("data.download-text")} title={account("data.download")}>
      <Button
        busy={busy ? account("data.downloading") : false}
        kind="line"
        onClick={() => void download()}
        size="sm"
      >
        {account("data.download-go")}
      </Button>
    </SettingsRow>
  );
}

function EverywhereRow() {
  const { leave } = useMemberArea();
  const { busy, run } = useMemberAction(false);
  const signOut = async () => {
    if (await run(() => apiSend("POST /user/logout-everywhere", undefined))) leave(paths.home);
  };
  return (
    <SettingsRow text={account("everywhere.text")} title={account("everywhere")}>
      <Button
        busy={busy ? account("everywhere.busy") : false}
        kind="line"
        onClick={() => void signOut()}
        size="sm"
      >
        {account("everywhere.go")}
      </Button>
    </SettingsRow>
  );
}

function saveFile(name: string, document_: unknown): void {
  const file = new Blob([JSON.stringify(document_, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
