import { useNavigate } from "react-router-dom";
import { ShareDialog } from "@/features/sharing/share-dialog";
import sharingTexts from "@/messages/en/sharing.json";
import { useSiteConfig } from "@/lib/config";
import { translator } from "@/lib/messages";
import { PageMeta } from "@/lib/page-meta";
import { paths } from "@/lib/paths";
import { useInBrowser } from "@/lib/use-in-browser";
import { HomeSections } from "../home-sections";

const t = translator(sharingTexts);

/** The home page with the share dialog open; closing it leaves the home page. */
export function SharePage() {
  const navigate = useNavigate();
  const config = useSiteConfig();
  const settled = useInBrowser() && config.status !== "loading";
  return (
    <>
      <PageMeta description={t("meta.text")} title={t("meta.title")} />
      <HomeSections />
      {settled ? (
        <ShareDialog
          onClose={() => void navigate(paths.home, { state: { stay: true } })}
          url={config.data?.siteUrl ?? window.location.origin}
        />
      ) : null}
    </>
  );
}
