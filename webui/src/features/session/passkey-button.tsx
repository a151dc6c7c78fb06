import { useState } from "react";
import { Button } from "@/components/button/button";
import sessionTexts from "@/messages/en/session.json";
import { loadCeremony, wasCancelled } from "@/lib/passkeys/load-ceremony";
import { usePasskeysKnown } from "@/lib/passkeys/use-passkeys-known";
import { translator } from "@/lib/text/messages";
import { notify } from "@/lib/ui/notify";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import { useSignIn } from "@/lib/session/session";
import { DEVICE, write } from "@/lib/session/token-storage";

const t = translator(sessionTexts);

/** Signs in with one tap, in browsers that know passkeys. */
export function PasskeyButton() {
  const [busy, setBusy] = useState(false);
  const known = usePasskeysKnown();
  const keepToken = useSignIn();
  const failure = useFailureNotice();
  const signIn = async () => {
    setBusy(true);
    failure.dismiss();
    try {
      const { signInWithPasskey } = await loadCeremony();
      const { token, device } = await signInWithPasskey();
      notify.success(t("signed-in"));
      write(DEVICE, device);
      keepToken(token);
    } catch (error) {
      setBusy(false);
      if (!wasCancelled(error)) failure.show(error);
    }
  };
  if (!known) return null;
  return (
    <Button block busy={busy ? t("signing-in") : false} kind="line" onClick={() => void signIn()}>
      {t("passkey")}
    </Button>
  );
}
