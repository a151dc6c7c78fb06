import { Fragment, useEffect, useId, useMemo, useRef, type ReactNode } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { Count } from "@/components/badge/badge";
import { Selvedge } from "@/components/band/band";
import { Button } from "@/components/button/button";
import { ResourceView } from "@/components/resource-view/resource-view";
import { SiteLogo } from "@/components/site-logo/site-logo";
import { Tabs, type Tab } from "@/components/tabs/tabs";
import commonTexts from "@/messages/en/common.json";
import membershipTexts from "@/messages/en/membership.json";
import { translator } from "@/lib/text/messages";
import { paths } from "@/lib/page/paths";
import { useQuery } from "@/lib/page/use-query";
import { useResource, useResourceCache } from "@/lib/api/resource";
import { useSignOut, useToken } from "@/lib/session/session";
import { forgetSession, readToken } from "@/lib/session/token-storage";
import { useErrorNotice } from "@/lib/api/use-error-notice";
import { MemberProvider, useProfile } from "@/lib/member/member-context";
import { MemberSkeleton } from "./member-skeleton";
import styles from "./member-area.module.css";

const t = translator(membershipTexts);
const common = translator(commonTexts);

type TabId = "dashboard" | "account" | "events";

/** The member area: a bar with the tabs, and the panel of the tab in the address. */
export function MemberArea({
  openVotes,
  strip,
  waits,
  panels,
}: {
  /** How many votes the tab of the events lists beside the events; null while that is unknown. */
  readonly openVotes: number | null;
  /** Above the dashboard; below the account, which does not wait for it and would move down. */
  readonly strip: ReactNode;
  /** True until it is known what stands above the dashboard. */
  readonly waits: boolean;
  readonly panels: Readonly<Record<TabId, ReactNode>>;
}) {
  const panelId = useId();
  const [tab, select] = useTab();
  const signedIn = useToken() !== null;
  const state = useProfile(signedIn);
  const leave = useLeaving();
  const signOut = useSignOut();
  const { data, reload } = state;
  useErrorNotice(state.error);
  const waiting = waits && tab === "dashboard";
  const area = useMemo(
    () => (data === null ? null : { member: data.user, reload, leave }),
    [data, reload, leave],
  );
  return (
    <>
      <Selvedge />
      <header className={styles.header}>
        <div className={`wrap ${styles.bar}`}>
          <SiteLogo label={common("nav.home")} />
          <MemberTabs current={tab} onSelect={select} openVotes={openVotes} panelId={panelId} />
          <Button
            className={styles.logout}
            kind="line"
            onClick={() => {
              signOut();
              leave(paths.home);
            }}
            size="sm"
          >
            {t("logout")}
          </Button>
        </div>
      </header>
      {tab === "dashboard" && !waits ? strip : null}
      {/* While it waits it is another element, which cannot move when it is known what stands above. */}
      <div className={styles.page} key={String(waiting)}>
        <div
          aria-label={t(`tab.${tab}`)}
          className={`wrap ${styles.panel}`}
          id={panelId}
          role="tabpanel"
        >
          {waiting ? (
            <>
              <span className="vh" role="status">
                {common("loading")}
              </span>
              <MemberSkeleton />
            </>
          ) : (
            <ResourceView heading={t(`tab.${tab}`)} skeleton={<MemberSkeleton />} state={state} what={t("profile.failed")}>
              {() =>
                area === null ? null : (
                  <MemberProvider area={area}>
                    <Fragment key={tab}>{panels[tab]}</Fragment>
                  </MemberProvider>
                )
              }
            </ResourceView>
          )}
        </div>
      </div>
      {tab === "account" ? strip : null}
    </>
  );
}

function MemberTabs({
  current,
  openVotes,
  panelId,
  onSelect,
}: {
  readonly current: TabId;
  readonly openVotes: number | null;
  readonly panelId: string;
  readonly onSelect: (tab: TabId) => void;
}) {
  const events = useResource("/events").data;
  const tabs: Tab<TabId>[] = [
    { id: "dashboard", label: t("tab.dashboard") },
    { id: "account", label: t("tab.account") },
    {
      id: "events",
      label: (
        <>
          {t("tab.events")} {events === null || openVotes === null ? null : <Count value={events.length + openVotes} />}
        </>
      ),
    },
  ];
  return (
    <div className={styles.tabs}>
      <Tabs current={current} label={t("area")} onSelect={onSelect} panelId={panelId} tabs={tabs} />
    </div>
  );
}

function useTab(): readonly [TabId, (tab: TabId) => void] {
  const setParams = useSearchParams()[1];
  const wanted = useQuery("tab");
  const tab = wanted === "account" || wanted === "events" ? wanted : "dashboard";
  return [tab, (next) => setParams(next === "dashboard" ? {} : { tab: next }, { replace: true })];
}

/** Redirects to the sign-in page without a token. */
function useLeaving(): (path: string) => void {
  const navigate = useNavigate();
  const cache = useResourceCache();
  const token = useToken();
  const leaving = useRef(false);
  const leave = useMemo(
    () => (path: string) => {
      leaving.current = true;
      forgetSession();
      cache.clear();
      void navigate(path);
    },
    [cache, navigate],
  );
  useEffect(() => {
    if (leaving.current) return;
    if (readToken() === null) leave(paths.login);
  }, [token, leave]);
  return leave;
}
