import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { StaticRouter } from "react-router-dom";
import { ResourceCache } from "@/lib/api/resource";
import { Providers } from "./providers";
import { SiteRouter } from "./router";

export { siteRoutes } from "./site-routes";
export { HERO_SLOTS } from "@/features/home/hero-texts";
export { SQUARE_SLOTS } from "@/features/home/shared-square";
export { LEGAL_SLOTS } from "@/features/legal/legal-text";
export { FIRST_SLOTS } from "@/lib/page/first-view";
export { SITE_SLOT } from "@/lib/page/page-meta";
export { sharedSquare } from "@/art/shared-square";
export { ART, paths } from "@/lib/page/paths";

export type PrerenderedPage = { readonly html: string; readonly used: readonly string[] };

/** Prerenders a page from the answers known at build time. */
export async function prerenderPage(
  path: string,
  seeds: Readonly<Record<string, unknown>>,
): Promise<PrerenderedPage> {
  const cache = new ResourceCache(seeds);
  const { prelude } = await prerender(
    <StrictMode>
      <StaticRouter location={path}>
        <Providers cache={cache}>
          <SiteRouter />
        </Providers>
      </StaticRouter>
    </StrictMode>,
    // Renders Suspense content in place instead of moving it by script.
    { progressiveChunkSize: Number.MAX_SAFE_INTEGER },
  );
  return { html: await new Response(prelude).text(), used: cache.paths() };
}
