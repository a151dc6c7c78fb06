import { useState } from "react";
import { lazyDialog } from "@/components/lazy-part/lazy-part";
import { FollowView, type Shared } from "@/features/following/follow-page";
import followTexts from "@/messages/en/follow.json";
import { PageMeta } from "@/lib/page/page-meta";
import { translator } from "@/lib/text/messages";

const t = translator(followTexts);
const ShareDialog = lazyDialog(
  async () => (await import("@/features/sharing/share-dialog")).ShareDialog,
);

export function FollowPage() {
  const [shared, setShared] = useState<Shared | null>(null);
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <FollowView onShare={setShared} />
      {shared === null ? null : <ShareDialog {...shared} onClose={() => setShared(null)} />}
    </>
  );
}
