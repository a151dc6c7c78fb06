import { useLocation } from "react-router-dom";

// Where the site will stand, when the build was told; otherwise "".
const SITE: string = import.meta.env.JARA_SITE_URL;

/** Title and description of a page; React puts them into the head. */
export function PageMeta({
  title,
  description,
  index = true,
}: {
  readonly title: string;
  readonly description: string;
  readonly index?: boolean;
}) {
  const { pathname } = useLocation();
  const full = `${title} — Jara`;
  return (
    <>
      <title>{full}</title>
      <meta name="description" content={description} />
      <meta property="og:site_name" content="Jara" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={full} />
      <meta property="og:description" content={description} />
      {SITE === "" || !index ? null : (
        <>
          <meta property="og:url" content={`${SITE}${pathname}`} />
          <link rel="canonical" href={`${SITE}${pathname}`} />
        </>
      )}
      <meta property="og:image" content={`${SITE}/share.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
      {index ? null : <meta name="robots" content="noindex" />}
    </>
  );
}
