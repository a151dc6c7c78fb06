import { Card } from "@/components/card/card";
import { Skeleton } from "@/components/skeleton/skeleton";
import styles from "./dashboard.module.css";

/** Placeholder of the dashboard. */
export function MemberSkeleton() {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Card>
          <Skeleton />
          <Skeleton shape="title" />
          <Skeleton shape="numeral" />
          <Skeleton shape="block" />
        </Card>
      </div>
      <div className={styles.column}>
        <Card>
          <Skeleton shape="title" />
          <Skeleton shape="block" />
        </Card>
      </div>
    </div>
  );
}
