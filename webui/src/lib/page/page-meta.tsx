import { useLocation } from "react-router-dom";
import { LANGUAGES } from "@/lib/text/languages";
import { LANGUAGE, ORGANISATION } from "@/lib/text/messages";

/** Placeholder of the site's address, which the server fills. */
export const SITE_SLOT = "{{site_url}}";

// Undefined on the development server.
const SITE = import.meta.env.SSR ? SITE_SLOT : document.documentElement.dataset["site"];

// Drawn by scripts/draw-share-pictures.mjs.
const SHARE_IMAGE = LANGUAGE === "en" ? "/share.png" : `/share-${LANGUAGE}.png`;

// English needs no choice, unless the site's own language is another one; the server knows that.
const ENGLISH = import.meta.env.SSR ? "{{english}}" : (document.documentElement.dataset["english"] ?? "");
const CHOICE = choiceOf(LANGUAGE);

/** Title, description and Open Graph elements; React moves them into the head. */
export function PageMeta({
  title,
  description,
  index = true,
  path,
}: {
  readonly title: string;
  readonly description: string;
  readonly index?: boolean;
  /** The canonical path, if it differs from the current one. */
  readonly path?: string | undefined;
}) {
  const { pathname } = useLocation();
  const full = `${title} — ${ORGANISATION}`;
  const place = path ?? pathname;
  return (
    <>
      <title>{full}</title>
      <meta name="description" content={description} />
      {index ? (
        SITE && <link rel="canonical" href={SITE + place + CHOICE} />
      ) : (
        <meta name="robots" content="noindex" />
      )}
      {/* For crawlers and link previews, which run no scripts. */}
      {import.meta.env.SSR && (
        <>
          <meta property="og:site_name" content={ORGANISATION} />
          <meta property="og:type" content="website" />
          <meta property="og:title" content={full} />
          <meta property="og:description" content={description} />
          {index && <meta property="og:url" content={SITE_SLOT + place + CHOICE} />}
          <meta property="og:locale" content={import.meta.env.JARA_OG_LOCALE} />
          {index && <Alternates place={place} />}
          <meta property="og:image" content={SITE_SLOT + SHARE_IMAGE} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta property="og:image:alt" content={title} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
    </>
  );
}

/** The same page in each language, for search engines. */
function Alternates({ place }: { readonly place: string }) {
  const page = SITE_SLOT + place;
  return (
    <>
      <link rel="alternate" hrefLang="x-default" href={page} />
      {LANGUAGES.map(([code]) => (
        <link
          href={page + choiceOf(code)}
          hrefLang={code}
          key={code}
          rel="alternate"
        />
      ))}
    </>
  );
}

function choiceOf(language: string): string {
  return language === "en" ? ENGLISH : `?lang=${language}`;
}
