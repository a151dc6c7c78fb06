/** A drawing made by src/art. Its text comes from our own functions only, never from a person. */
export function SvgArt({
  inner,
  viewBox,
  label,
  className,
}: {
  readonly inner: string;
  readonly viewBox: string;
  /** Says what can be counted in it; without one it is decoration. */
  readonly label?: string | undefined;
  readonly className?: string | undefined;
}) {
  return (
    <svg
      aria-hidden={label === undefined ? true : undefined}
      aria-label={label}
      className={className}
      // oxlint-disable-next-line react/no-danger
      dangerouslySetInnerHTML={{ __html: inner }}
      role={label === undefined ? undefined : "img"}
      viewBox={viewBox}
    />
  );
}
