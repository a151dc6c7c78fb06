import { apiGet } from "@/lib/api/api-client";
import { fromHex } from "./bytes";
import { isIncluded } from "./merkle";
import { reached, said, type Outcome } from "./outcome";
import { today } from "./signed-log";

/** Whether a line is in the signed log of now, which has `size` lines. */
export type LineCheck = { readonly outcome: Outcome; readonly size: number };

/** Checks in this browser that the log is signed, and that the line is in it. */
export async function checkLine(line: { readonly index: number; readonly leaf: string }): Promise<LineCheck> {
  const head = await reached(apiGet("/proofs/checkpoint"));
  if (head === null) return { outcome: "unreached", size: 0 };
  const { size, root } = head;
  const signed = await today(head);
  if (signed === "failed") return { outcome: signed, size };
  const answer = await reached(apiGet(`/proofs/inclusion?index=${line.index}&size=${size}`));
  if (answer === null) return { outcome: "unreached", size };
  const outcome = await said(() =>
    isIncluded({
      leaf: fromHex(line.leaf),
      index: line.index,
      size,
      proof: answer.proof.map(fromHex),
      root: fromHex(root),
    }),
  );
  return { outcome: outcome === "ok" ? signed : outcome, size };
}
