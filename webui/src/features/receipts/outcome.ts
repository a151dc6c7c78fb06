import { MalformedBytes } from "./bytes";
import { MalformedNote } from "./note";

/** "unsupported": the browser lacks Ed25519; "unreached": the log did not answer. */
export type Outcome = "ok" | "failed" | "unsupported" | "unreached";

type Answer = boolean | "unsupported";

/** The answer of the log; null if it gave none. */
export async function reached<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch {
    return null;
  }
}

/** The outcome of a check. */
export async function said(check: () => Answer | Promise<Answer>): Promise<Outcome> {
  try {
    const answer = await check();
    if (answer === "unsupported") return answer;
    return answer ? "ok" : "failed";
  } catch (error) {
    // Malformed bytes prove nothing.
    if (error instanceof MalformedBytes || error instanceof MalformedNote) return "failed";
    throw error;
  }
}

/** The icon of an outcome. */
export function signOf(outcome: Outcome | "unseen"): "check" | "close" | "info" {
  if (outcome === "ok") return "check";
  return outcome === "failed" ? "close" : "info";
}
