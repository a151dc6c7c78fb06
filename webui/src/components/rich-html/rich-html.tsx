import { trustedHtml } from "@/lib/page/trusted-html";
import { classNames } from "@/lib/ui/class-names";

/** HTML that the server sanitised or the build generated. */
export function RichHtml({
  html,
  className,
}: {
  readonly html: string;
  readonly className?: string;
}) {
  return (
    <div
      className={classNames("prose", className)}
      // oxlint-disable-next-line react/no-danger
      dangerouslySetInnerHTML={{ __html: trustedHtml(html) }}
    />
  );
}

/** One element of such HTML; it re-renders only when its content changes. */
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
