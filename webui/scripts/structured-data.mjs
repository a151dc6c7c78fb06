// Structured data for search engines (schema.org).

/** The script element with a page's structured data, or "" if it has none. */
export function structuredData(address, site) {
  if (address !== "/") return "";
  const organisation = {
    "@context": "https://schema.org",
    "@type": "NGO",
    name: "{{organisation_json}}",
    url: `${site}/`,
    logo: `${site}/art/mark.svg`,
    potentialAction: { "@type": "DonateAction", target: `${site}/donate` },
  };
  const json = JSON.stringify(organisation).replaceAll("<", "\\u003c");
  return `<script type="application/ld+json">${json}</script>`;
}
