/** Title and description of a page; React puts them into the head. */
export function PageMeta({
  title,
  description,
  index = true,
  image = "/art/share.svg",
}: {
  readonly title: string;
  readonly description: string;
  readonly index?: boolean;
  readonly image?: string;
}) {
  const full = `${title} — Jara`;
  return (
    <>
      <title>{full}</title>
      <meta name="description" content={description} />
      <meta property="og:site_name" content="Jara" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={full} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={image} />
      <meta name="twitter:card" content="summary_large_image" />
      {index ? null : <meta name="robots" content="noindex" />}
    </>
  );
}
