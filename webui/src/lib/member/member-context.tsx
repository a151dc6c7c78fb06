import { createContext, use, type ReactNode } from "react";
import type { User } from "@/api/schema";
import { useResource } from "@/lib/api/resource";

/** Shared state of the member area. */
export type MemberArea = {
  readonly member: User;
  /** Refetches the profile after a change. */
  readonly reload: () => void;
  /** Ends the session and navigates, without a redirect to the sign-in page. */
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

/** The member's profile, on pages of members only. */
export function useProfile(signedIn = true) {
  return useResource("/user/get-profile", signedIn);
}
