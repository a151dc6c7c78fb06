import type { ReactNode } from "react";
import { ButtonLink } from "@/components/button/button";
import { EmptyState } from "@/components/empty-state/empty-state";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import catalogueTexts from "@/messages/en/catalogue.json";
import type { LoadedResource } from "@/lib/api/resource";
import { paths } from "@/lib/page/paths";
import { translator } from "@/lib/text/messages";

const t = translator(catalogueTexts);

/** What was paid for, as one of three pages lists it: while it loads, fails, is empty, or is there. */
export function Listed<Data>({
  kind,
  state,
  isEmpty,
  skeleton,
  children,
}: {
  readonly kind: "projects" | "grants" | "donations";
  readonly state: LoadedResource<Data>;
  readonly isEmpty: (data: Data) => boolean;
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}) {
  return (
    <ResourceView skeleton={<div className="awaited">{skeleton ?? <Skeleton shape="block" />}</div>} state={state} what={t(`${kind}.failed`)}>
      {(data) =>
        isEmpty(data) ? (
          <EmptyState title={t(`${kind}.empty`)}>
            <p className="muted">{t(`${kind}.empty-text`)}</p>
            <ButtonLink kind="line" to={paths.proposals}>
              {t("see-proposal")}
            </ButtonLink>
          </EmptyState>
        ) : (
          children(data)
        )
      }
    </ResourceView>
  );
}
