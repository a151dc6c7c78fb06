import { useState } from "react";
import membershipTexts from "@/messages/en/membership.json";
import { ApiError, apiGet } from "@/lib/api/api-client";
import { translator } from "@/lib/text/messages";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import { paths } from "@/lib/page/paths";
import { useMemberArea } from "./member-context";

const t = translator(membershipTexts);

/** Opens the billing page in a new tab, synchronously on click so that it is not blocked. */
export function useBilling(): { readonly busy: boolean; readonly open: () => void } {
  const { leave } = useMemberArea();
  const [busy, setBusy] = useState(false);
  const failure = useFailureNotice();
  const fetchAddress = async (tab: Window | null) => {
    try {
      const { url } = await apiGet("/billing");
      if (tab === null) window.location.assign(url);
      else tab.location.href = url;
    } catch (error) {
      tab?.close();
      if (error instanceof ApiError && error.status === 401) return leave(paths.login);
      failure.show(error);
    } finally {
      setBusy(false);
    }
  };
  const open = () => {
    const tab = window.open("", "_blank");
    if (tab !== null) {
      tab.opener = null;
      tab.document.title = t("billing.waiting");
    }
    setBusy(true);
    failure.dismiss();
    void fetchAddress(tab);
  };
  return { busy, open };
}
