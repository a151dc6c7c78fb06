import { Button } from "@/components/button/button";
import styles from "@/components/empty-state/empty-state.module.css";
import { Icon } from "@/components/icon/icon";
import { classNames } from "@/lib/ui/class-names";

/** What failed, what it means, and a retry button. */
export function ErrorState({
  title,
  message,
  retryText,
  onRetry,
}: {
  readonly title: string;
  readonly message: string;
  readonly retryText: string;
  readonly onRetry: () => void;
}) {
  return (
    <div className={classNames(styles.empty, styles.small)} role="alert">
      <span className={styles.sign}>
        <Icon name="warning" />
      </span>
      <p className={styles.title}>{title}</p>
      <p className="muted">{message}</p>
      <Button icon="retry" kind="line" onClick={onRetry} size="sm">
        {retryText}
      </Button>
    </div>
  );
}
