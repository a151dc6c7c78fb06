import { formatDollars } from "@/lib/text/format";
import { pledgeDollarsMax, pledgeDollarsMin } from "@/rules.json";

/** The limits of a pledge, as texts name them. */
export function pledgeLimits() {
  return { minimum: formatDollars(pledgeDollarsMin), maximum: formatDollars(pledgeDollarsMax) };
}
