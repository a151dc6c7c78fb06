import { classNames } from "@/lib/class-names";

/** HTML that the server has sanitised, or that the build made from our own files. */
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
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
