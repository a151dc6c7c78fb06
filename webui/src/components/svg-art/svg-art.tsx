import { trustedHtml } from "@/lib/page/trusted-html";

/** An SVG drawing from src/art. Never pass text from users: it is not escaped. */
export function SvgArt({
  inner,
  viewBox,
  label,
  className,
}: {
  readonly inner: string;
  readonly viewBox: string;
  /** Accessible name; without one the drawing is decorative. */
  readonly label?: string | undefined;
  readonly className?: string | undefined;
}) {
  return (
    <svg
      aria-hidden={label === undefined ? true : undefined}
      aria-label={label}
      className={className}
      // oxlint-disable-next-line react/no-danger
      dangerouslySetInnerHTML={{ __html: trustedHtml(inner) }}
      role={label === undefined ? undefined : "img"}
      viewBox={viewBox}
    />
  );
}
