import { trustedHtml } from "@/lib/page/trusted-html";
import { asWritten } from "@/lib/text/messages";
import { classNames } from "@/lib/ui/class-names";

/** Content as HTML, which the server sanitised. */
export function RichHtml({
  html,
  className,
}: {
  readonly html: string;
  readonly className?: string;
}) {
  return (
    <div
      {...asWritten}
      className={classNames("prose", className)}
      // oxlint-disable-next-line react/no-danger
      dangerouslySetInnerHTML={{ __html: trustedHtml(html) }}
    />
  );
}

/** One element of a legal text, which the build made; it re-renders only when its content changes. */
export function RichPart({
  tag: Tag,
  html,
}: {
  readonly tag: "h1" | "h2" | "h3" | "p" | "ul" | "ol";
  readonly html: string;
}) {
  // oxlint-disable-next-line react/no-danger
  return <Tag dangerouslySetInnerHTML={{ __html: trustedHtml(html) }} />;
}
