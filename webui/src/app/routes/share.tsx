import { useNavigate, useSearchParams } from "react-router-dom";
import { ShareDialog } from "@/features/sharing/share-dialog";
import sharingTexts from "@/messages/en/sharing.json";
import { useSiteConfig } from "@/lib/models/config";
import { translator } from "@/lib/text/messages";
import { PageMeta } from "@/lib/page/page-meta";
import { paths } from "@/lib/page/paths";
import { useHydrated } from "@/lib/page/use-hydrated";
import { HomeSections } from "../home-sections";

const t = translator(sharingTexts);

const SQUARE = /^\d{1,2}-\d-\d$/;

/** The home page with the share dialog open. */
export function SharePage() {
  const navigate = useNavigate();
  const config = useSiteConfig();
  const square = useSearchParams()[0].get("square");
  const settled = useHydrated() && config.status !== "loading";
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <HomeSections />
      {settled ? (
        <ShareDialog
          onClose={() => void navigate(paths.home, { state: { stay: true } })}
          url={addressOf(config.data?.siteUrl ?? window.location.origin, square)}
        />
      ) : null}
    </>
  );
}

/** The home page; with a member's own square as its preview image if they share it. */
function addressOf(site: string, square: string | null): string {
  return square !== null && SQUARE.test(square) ? `${site}/?square=${square}` : site;
}
