import { createContext, use, type ReactNode } from "react";
import type { Member } from "./member";

/** What every part of the member area needs. */
export type MemberArea = {
  readonly member: Member;
  /** Reads the profile again, after something was changed. */
  readonly reload: () => void;
  /** Forgets the session and goes somewhere, without a stop at the sign-in page. */
  readonly leave: (path: string) => void;
};

const Context = createContext<MemberArea | null>(null);

export function MemberProvider({
  area,
  children,
}: {
  readonly area: MemberArea;
  readonly children: ReactNode;
}) {
  return <Context value={area}>{children}</Context>;
}

export function useMemberArea(): MemberArea {
  const area = use(Context);
  if (area === null) throw new Error("useMemberArea needs a MemberProvider above it");
  return area;
}
