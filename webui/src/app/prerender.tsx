import { renderToString, renderToStringAsync } from "preact-render-to-string";
import { StaticRouter } from "react-router-dom";
import { ResourceCache } from "@/lib/api/resource";
import { takeHead } from "@/lib/page/page-meta";
import { Providers } from "./providers";
import { SiteRouter } from "./router";
import { arrivalAt } from "./site-routes";

export { siteRoutes } from "./site-routes";
export { HERO_SLOTS } from "@/features/home/hero-texts";
export { SQUARE_SLOTS } from "@/features/home/shared-square";
export { LEGAL_SLOTS } from "@/features/legal/legal-text";
export { FIRST_SLOTS } from "@/lib/page/first-view";
export { SITE_SLOT } from "@/lib/page/page-meta";
export { sharedSquare } from "@/art/shared-square";
export { ART, paths } from "@/lib/page/paths";

export type PrerenderedPage = { readonly head: string; readonly html: string; readonly used: readonly string[] };

/** Prerenders a page from the answers known at build time. */
export async function prerenderPage(
  path: string,
  seeds: Readonly<Record<string, unknown>>,
): Promise<PrerenderedPage> {
  await arrivalAt(path.replace(/[?#].*/, ""));
  const cache = new ResourceCache(seeds);
  const html = await renderToStringAsync(
    <StaticRouter location={path}>
      <Providers cache={cache}>
        <SiteRouter />
      </Providers>
    </StaticRouter>,
  );
  return { head: renderToString(<>{takeHead()}</>), html, used: cache.paths() };
}
