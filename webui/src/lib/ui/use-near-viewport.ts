import { useEffect, useRef, useState, type RefObject } from "react";

/** True once the element is near the viewport; it stays true. */
export function useNearViewport<T extends Element>(
  margin = "600px",
): readonly [RefObject<T | null>, boolean] {
  const ref = useRef<T>(null);
  const [near, setNear] = useState(cannotTell);
  useEffect(() => {
    const element = ref.current;
    if (near || element === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [margin, near]);
  return [ref, near];
}

function cannotTell(): boolean {
  return typeof window !== "undefined" && !("IntersectionObserver" in window);
}
