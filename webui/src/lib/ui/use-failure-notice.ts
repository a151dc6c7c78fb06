import { useEffect, useId, useMemo } from "react";
import { notify } from "./notify";

export type FailureNotice = {
  /** Shows what failed, in place of the failure before. */
  readonly show: (error: unknown) => void;
  readonly dismiss: () => void;
};

/** The notice of a failure in one part of a page; it goes when the reader leaves that part. */
export function useFailureNotice(): FailureNotice {
  const id = useId();
  useEffect(() => () => notify.dismiss(id), [id]);
  return useMemo(
    () => ({ show: (error) => notify.error(error, id), dismiss: () => notify.dismiss(id) }),
    [id],
  );
}
