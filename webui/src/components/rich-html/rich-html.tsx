import { trustedHtml } from "@/lib/page/trusted-html";
import { classNames } from "@/lib/ui/class-names";

/** Content as HTML, which the server sanitised. */
export function RichHtml({
  html,
  written,
  className,
}: {
  readonly html: string;
  /** Its language, if that is not the page's. */
  readonly written?: { readonly lang?: string };
  readonly className?: string;
}) {
  return (
    <div
      {...written}
      className={classNames("prose", className)}
      // oxlint-disable-next-line react/no-danger
      dangerouslySetInnerHTML={{ __html: trustedHtml(html) }}
    />
  );
}
