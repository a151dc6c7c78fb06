import { useState } from "react";
import { Button } from "@/components/button/button";
import { Card } from "@/components/card/card";
import membershipTexts from "@/messages/en/membership.json";
import { translator } from "@/lib/messages";
import { notify } from "@/lib/notify";
import { paths } from "@/lib/paths";
import { exportMyData, signOutEverywhere } from "./api";
import { useMemberArea } from "./member-context";
import { useMemberAction } from "./use-member-action";
import styles from "./account.module.css";

const t = translator(membershipTexts);

/** What is held about the member, as a file; and the end of every sign-in. */
export function DataRows() {
  return (
    <Card label={t("data")}>
      <h2 className={styles.heading}>{t("data")}</h2>
      <DownloadRow />
      <EverywhereRow />
    </Card>
  );
}

function DownloadRow() {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      saveFile(t("data.file"), await exportMyData());
    } catch (error) {
      notify.error(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={`${styles.row} ${styles.first} ${styles.wrapped}`}>
      <b>{t("data.download")}</b>
      <p className="muted">{t("data.download-text")}</p>
      <Button
        busy={busy ? t("data.downloading") : false}
        kind="line"
        onClick={() => void download()}
        size="sm"
      >
        {t("data.download-go")}
      </Button>
    </div>
  );
}

function EverywhereRow() {
  const { leave } = useMemberArea();
  const { busy, run } = useMemberAction(false);
  const signOut = async () => {
    if (await run(signOutEverywhere)) leave(paths.home);
  };
  return (
    <div className={`${styles.row} ${styles.wrapped}`}>
      <b>{t("everywhere")}</b>
      <p className="muted">{t("everywhere.text")}</p>
      <Button
        busy={busy ? t("everywhere.busy") : false}
        kind="line"
        onClick={() => void signOut()}
        size="sm"
      >
        {t("everywhere.go")}
      </Button>
    </div>
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
