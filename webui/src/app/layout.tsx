import { Suspense, useSyncExternalStore, type ReactNode } from "react";
import { Outlet, useLocation, useMatch, useNavigate } from "react-router-dom";
import { Selvedge } from "@/components/band/band";
import { Header } from "@/components/header/header";
import commonTexts from "@/messages/en/common.json";
import { storedSince, watchStored } from "@/lib/api/stored-answers";
import { useSiteConfig } from "@/lib/models/config";
import { formatFullDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";
import { usePageBefore } from "@/lib/page/page-before";
import { paths } from "@/lib/page/paths";
import { useSignedIn, useSignOut } from "@/lib/session/session";
import { RouteErrorBoundary } from "./route-error-boundary";
import { SiteFooter } from "./site-footer";
import { usePageFocus } from "./use-page-focus";
import styles from "./layout.module.css";

const t = translator(commonTexts);
// A constant element: updating it during hydration would make React discard the prerendered HTML.
const PAGE = (
  <Suspense
    fallback={
      <>
        <title>{t("site")}</title>
        <div className={`waiting ${styles.loading}`} />
      </>
    }
  >
    <Outlet />
  </Suspense>
);
// The server fills in the page's figures for readers without scripts.
const PLAIN = <noscript>{import.meta.env.SSR ? "{{plain}}" : null}</noscript>;

/** Layout with header and footer. */
export function SiteLayout() {
  const config = useSiteConfig();
  const signedIn = useSignedIn();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const onProject = useMatch(paths.projectPattern) !== null;
  return (
    <Frame
      footer={<SiteFooter />}
      header={
        <Header
          donateUrl={config.data?.donateUrl ?? null}
          onSignOut={() => {
            signOut();
            void navigate(paths.home);
          }}
          revealOnScroll={onProject}
          signedIn={signedIn}
        />
      }
    />
  );
}

/** Layout without header and footer: sign-in, joining and the member area. */
export function BareLayout() {
  return <Frame footer={null} header={null} />;
}

function Frame({ header, footer }: { readonly header: ReactNode; readonly footer: ReactNode }) {
  usePageFocus();
  usePageBefore();
  const { pathname } = useLocation();
  const stored = useSyncExternalStore(watchStored, storedSince, () => null);
  return (
    <>
      <a className={styles.skip} href="#main">
        {t("skip")}
      </a>
      {stored === null ? null : (
        <p className={styles.offline} role="status">
          {t("offline", { date: formatFullDate(new Date(stored)) })}
        </p>
      )}
      {header === null ? null : <Selvedge />}
      {header}
      <main className={styles.main} id="main" tabIndex={-1}>
        <RouteErrorBoundary key={pathname}>{PAGE}</RouteErrorBoundary>
        {PLAIN}
      </main>
      {footer}
    </>
  );
}
