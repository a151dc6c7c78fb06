import { useEffect, useState, type ComponentType, type ReactNode } from "react";
import { ErrorState } from "@/components/error-state/error-state";
import commonTexts from "@/messages/en/common.json";
import { translator } from "@/lib/text/messages";

const t = translator(commonTexts);

/**
 * A component from a chunk of its own.
 *
 * If the chunk does not load, only this part says so, not the page. It is fetched again at the
 * reader's next press, and by itself when the network returns; React's `lazy` would keep the failure.
 *
 * @param waiting what is shown until the chunk is there.
 * @param show gets the notice that it did not load.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
  show?: (notice: HTMLElement | null) => void,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (Part !== null || failed) return undefined;
      let left = false;
      load()
        .then((component) => {
          loaded = component;
          if (!left) setPart(() => component);
        })
        .catch(() => {
          if (!left) setFailed(true);
        });
      return () => {
        left = true;
      };
    }, [Part, failed]);
    useEffect(() => {
      if (!failed) return undefined;
      const retry = () => setFailed(false);
      window.addEventListener("online", retry);
      // What opens the part is pressed again: the error may stand out of view.
      window.addEventListener("click", retry);
      return () => {
        window.removeEventListener("online", retry);
        window.removeEventListener("click", retry);
      };
    }, [failed]);
    if (Part !== null) return <Part {...props} />;
    if (!failed) return waiting;
    return (
      <div ref={show}>
        <ErrorState
          message={t("error.part-text")}
          onRetry={() => setFailed(false)}
          retryText={t("error.retry")}
          title={t("error.part")}
        />
      </div>
    );
  };
}

/** A dialog from a chunk of its own: that it did not load stands where it is seen. */
export function lazyDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazyPart(load, null, (notice) => notice?.scrollIntoView({ block: "center" }));
}
