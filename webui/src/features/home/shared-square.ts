import { useSearchParams } from "react-router-dom";
import type { SharedSquare } from "@/lib/api/calls";
import { useResource } from "@/lib/api/resource";
// The server sends the greeting drawn: it has its style before its script.
import "./square-greeting.module.css";

/** Placeholders that the build writes and the server fills. */
export const SQUARE_SLOTS: SharedSquare = { html: "{{first.html}}", woven: "{{first.woven}}" };

/** The square that the address names, as the server wrote it into the page; null without one. */
export function useSharedSquare(): SharedSquare | null {
  const square = useResource("/#square", false).data;
  return useSearchParams()[0].has("square") ? square : null;
}
