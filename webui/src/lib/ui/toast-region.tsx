import "react-toastify/dist/ReactToastify.css";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { ToastContainer, toast, type ToastOptions } from "react-toastify/unstyled";
import commonTexts from "@/messages/en/common.json";
import { translator } from "@/lib/text/messages";
import { placeNotices } from "./place-notices";
import styles from "./toast-region.module.css";

const t = translator(commonTexts);

// A live region is announced only if it exists before its text.
const SETTLED_MS = 100;
// A field with its label and some air above it.
const LABEL_PX = 56;

export type ToastKind = "success" | "warning" | "error";

/** Scrolls so that no notice covers the fields of the form that it is about, or at least not the failing one. */
function keepFieldsInView(): void {
  const about = document.querySelector('[aria-invalid="true"]') ?? document.activeElement;
  const fields = about?.closest("form")?.querySelectorAll("input, select, textarea") ?? [];
  // A notice slides in; what holds it is in its place.
  const notices = document.querySelector(".Toastify__toast-container")?.getBoundingClientRect();
  const kept = about?.getBoundingClientRect();
  if (fields.length === 0 || kept === undefined || notices === undefined || notices.left > kept.right) return;
  const down = [...fields, about]
    .map((field) => notices.bottom - ((field?.getBoundingClientRect().top ?? 0) - LABEL_PX))
    .find((pixels, place) => place === fields.length || kept.bottom + pixels <= window.innerHeight);
  if (down !== undefined && down > 0) window.scrollBy({ top: -down });
}

/** Notices as in spec §9: 5000 ms, top right, hotkey Alt+T. */
export function ToastRegion({ onReady }: { readonly onReady: () => void }) {
  const [host] = useState(() => {
    const element = document.createElement("div");
    element.id = "notices";
    return element;
  });
  useEffect(() => {
    placeNotices(host);
    return () => host.remove();
  }, [host]);
  useEffect(() => {
    const timer = setTimeout(onReady, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [onReady]);
  return createPortal(
    <ToastContainer
      aria-label={t("notices")}
      autoClose={5000}
      className={styles.region ?? ""}
      closeOnClick={false}
      hideProgressBar
      hotKeys={(event) => event.altKey && event.code === "KeyT"}
      pauseOnHover
      position="top-right"
      toastClassName={styles.toast ?? ""}
    />,
    host,
  );
}

export function dismissToast(id: string): void {
  toast.dismiss(id);
}

export function showToast(kind: ToastKind, text: string, id: string): void {
  const options: ToastOptions = { toastId: id, role: kind === "error" ? "alert" : "status" };
  // Shown again: restart the five seconds.
  if (toast.isActive(id)) toast.update(id, { ...options, render: text });
  else toast[kind](text, options);
  if (kind === "error") setTimeout(keepFieldsInView, SETTLED_MS);
}
