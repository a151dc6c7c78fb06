import type { ReactNode } from "react";
import { ErrorState } from "@/components/error-state/error-state";
import commonTexts from "@/messages/en/common.json";
import { translator } from "@/lib/text/messages";
import type { LoadedResource } from "@/lib/api/resource";

const t = translator(commonTexts);

/** Shows a resource: a skeleton while loading, an error with retry, or the data. */
export function ResourceView<T>({
  state,
  what,
  heading,
  skeleton,
  children,
}: {
  readonly state: LoadedResource<T>;
  /** The error title: "The team did not load." */
  readonly what: string;
  /** The heading of a page that has one only with its data. */
  readonly heading?: string;
  readonly skeleton: ReactNode;
  readonly children: (data: T) => ReactNode;
}) {
  if (state.status === "ready") return children(state.data);
  if (state.status === "loading") {
    return (
      <>
        <span className="vh" role="status">
          {t("loading")}
        </span>
        {skeleton}
      </>
    );
  }
  return (
    <>
      {heading === undefined ? null : <h1 className="vh">{heading}</h1>}
      <ErrorState message={t("error.nothing-lost")} onRetry={state.reload} retryText={t("try-again")} title={what} />
    </>
  );
}

/** Says that something did not load, above what is shown without it. */
export function LoadFailure<T>({ state, what }: { readonly state: LoadedResource<T>; readonly what: string }) {
  if (state.status !== "error") return null;
  return (
    <ResourceView skeleton={null} state={state} what={what}>
      {() => null}
    </ResourceView>
  );
}
