import { useEffect, useState } from "react";
import { Route, Routes, useLocation, type Location } from "react-router-dom";
import { BareLayout, SiteLayout } from "./layout";
import { arrivalAt, siteRoutes } from "./site-routes";

/** The routes of the site. */
export function SiteRouter() {
  return (
    <Routes location={useArrived()}>
      <Route element={<SiteLayout />}>{pages("site")}</Route>
      <Route element={<BareLayout />}>{pages("bare")}</Route>
    </Routes>
  );
}

function pages(frame: "site" | "bare") {
  return siteRoutes
    .filter((route) => route.frame === frame)
    .map(({ path, Page }) => <Route caseSensitive element={<Page />} key={path} path={path} />);
}

/** The place whose page can be shown: until the next page's chunk is there, that is the last one. */
function useArrived(): Location {
  const location = useLocation();
  const [shown, setShown] = useState(location);
  const waiting = arrivalAt(location.pathname);
  useEffect(() => {
    let left = false;
    void Promise.resolve(waiting).then(() => {
      if (!left) setShown(location);
    });
    return () => {
      left = true;
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [location]);
  return waiting === null ? location : shown;
}
