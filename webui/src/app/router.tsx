import { Route, Routes } from "react-router-dom";
import { BareLayout, SiteLayout } from "./layout";
import { siteRoutes } from "./site-routes";

/** The routes of the site. */
export function SiteRouter() {
  return (
    <Routes>
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
