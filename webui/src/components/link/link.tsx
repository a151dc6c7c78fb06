import type { AnchorHTMLAttributes } from "react";
import { useHref, useLinkClickHandler } from "react-router-dom";

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> & {
  readonly to: string;
  /** What the next page finds in its location's state. */
  readonly state?: unknown;
  readonly replace?: boolean;
};

/** A link within the site. The router's own brings along 2 kB for sites that its server draws. */
export function Link({ to, state, replace = false, target, onClick, children, ...rest }: LinkProps) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, {
    state,
    ...(replace ? { replace } : {}),
    ...(target === undefined ? {} : { target }),
  });
  return (
    <a
      {...rest}
      href={useHref(to)}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) follow(event);
      }}
      target={target}
    >
      {children}
    </a>
  );
}
