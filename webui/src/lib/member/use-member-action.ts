import { useRef, useState } from "react";
import { ApiError } from "@/lib/api/api-client";
import { notify } from "@/lib/ui/notify";
import { useFailure } from "@/lib/ui/use-failure";
import { useFailureNotice } from "@/lib/ui/use-failure-notice";
import { paths } from "@/lib/page/paths";
import { useMemberArea } from "./member-context";

/** The answer to a change: a sentence for the member. */
export type Changed = { readonly message: string };

export type MemberAction = {
  readonly busy: boolean;
  /** The last error. */
  readonly refusal: ApiError | null;
  /** True if the server asked for the password again (403 reauth_required). */
  readonly wantsPassword: boolean;
  /**
   * Runs a change; true on success.
   *
   * @param place where an error is shown: as a notice, or by the caller in its form.
   */
  readonly run: (change: () => Promise<Changed>, place?: "notice" | "form") => Promise<boolean>;
  readonly reset: () => void;
};

function asksForSession({ status, code }: ApiError): boolean {
  return status === 401 || code === "reauth_required";
}

/**
 * Runs one change at a time, shows the server's message, and refetches the profile.
 *
 * @param staysMember false if the change signs the member out.
 */
export function useMemberAction(staysMember = true): MemberAction {
  const { reload, leave } = useMemberArea();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useFailure<ApiError>();
  const [wantsPassword, setWantsPassword] = useState(false);
  const running = useRef(false);
  const failure = useFailureNotice();

  const refused = (error: ApiError) => {
    if (error.status === 401) return leave(paths.login);
    setRefusal(error);
    setWantsPassword(error.code === "reauth_required");
  };
  const run: MemberAction["run"] = async (change, place = "notice") => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setRefusal(null);
    try {
      const { message } = await change();
      notify.success(message);
      setWantsPassword(false);
      if (staysMember) reload();
      return true;
    } catch (error) {
      const isInForm = place === "form" && error instanceof ApiError && !asksForSession(error);
      if (!isInForm) failure.show(error);
      if (error instanceof ApiError) refused(error);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  const reset = () => {
    failure.dismiss();
    setRefusal(null);
    setWantsPassword(false);
  };
  return { busy, refusal, wantsPassword, run, reset };
}
