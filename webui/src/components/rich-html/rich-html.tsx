import { trustedHtml } from "@/lib/page/trusted-html";
import { asWritten } from "@/lib/text/messages";
import { classNames } from "@/lib/ui/class-names";

/** Content as HTML, which the server sanitised. */
export function RichHtml({
  html,
  className,
  isTranslated = false,
}: {
  readonly html: string;
  /** Whether it is in the language of the page. */
  readonly isTranslated?: boolean;
  readonly className?: string;
}) {
  return (
    <div
      {...(isTranslated ? {} : asWritten)}
      className={classNames("prose", className)}
      // oxlint-disable-next-line react/no-danger
      dangerouslySetInnerHTML={{ __html: trustedHtml(html) }}
    />
  );
}
