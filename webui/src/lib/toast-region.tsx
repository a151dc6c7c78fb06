import "react-toastify/dist/ReactToastify.css";
import { ToastContainer, toast, type ToastOptions } from "react-toastify/unstyled";
import commonTexts from "@/messages/en/common.json";
import { translator } from "./messages";
import styles from "./toast-region.module.css";

const t = translator(commonTexts);

export type ToastKind = "success" | "warning" | "error";

/** Spec §9: 5000 ms, top-right, hotkey Alt+T. */
export function ToastRegion() {
  return (
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
    />
  );
}

export function showToast(kind: ToastKind, text: string, id: string): void {
  const options: ToastOptions = { toastId: id, role: kind === "error" ? "alert" : "status" };
  toast[kind](text, options);
}
