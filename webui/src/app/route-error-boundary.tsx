import { Component, type ReactNode } from "react";
import { ErrorState } from "@/components/error-state/error-state";
import commonTexts from "@/messages/en/common.json";
import { reloadByItself } from "@/lib/page/reload-by-itself";
import { translator } from "@/lib/text/messages";

const t = translator(commonTexts);

/** Contains a page's errors, so that header and footer stay usable; loads again when online. */
export class RouteErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly failed: boolean }
> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidMount(): void {
    window.addEventListener("online", this.reloadFailed);
  }

  override componentWillUnmount(): void {
    window.removeEventListener("online", this.reloadFailed);
  }

  /** A page whose code did not arrive has nothing to lose. */
  readonly reloadFailed = (): void => {
    if (this.state.failed) reloadByItself();
  };

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <ErrorState
        message={t("error.page-text")}
        onRetry={() => window.location.reload()}
        retryText={t("error.reload")}
        title={t("error.page")}
      />
    );
  }
}
