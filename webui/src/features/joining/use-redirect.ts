import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "@/lib/page/paths";

// Spec §9: delay before the dashboard opens.
const REDIRECT_MS = 3000;
const TOUCHES = ["pointerdown", "keydown", "wheel"] as const;

/**
 * Opens the dashboard soon, unless the page is touched: whoever is doing something here is not
 * taken away from it.
 *
 * @returns whether it will still open.
 */
export function useRedirect(): boolean {
  const navigate = useNavigate();
  const [isComing, setIsComing] = useState(true);
  useEffect(() => {
    if (!isComing) return;
    const timer = setTimeout(() => void navigate(paths.dashboard), REDIRECT_MS);
    const stay = () => setIsComing(false);
    for (const touch of TOUCHES) window.addEventListener(touch, stay, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const touch of TOUCHES) window.removeEventListener(touch, stay);
    };
  }, [isComing, navigate]);
  return isComing;
}
