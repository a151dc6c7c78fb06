// Structured data for search engines (schema.org).
const CONTEXT = "https://schema.org";

/** The script element with a page's structured data, or "" if it has none. */
export function structuredData(address, answers, site) {
  if (address === "/") return element(organisation(site));
  if (address === "/faqs") return element(questions(answers["/faqs"]));
  return "";
}

function organisation(site) {
  return {
    "@type": "NGO",
    name: "{{organisation_json}}",
    url: `${site}/`,
    logo: `${site}/art/mark.svg`,
    potentialAction: { "@type": "DonateAction", target: `${site}/donate` },
  };
}

function questions(faqs) {
  const mainEntity = faqs.map(({ question, answer }) => ({
    "@type": "Question",
    name: question,
    acceptedAnswer: { "@type": "Answer", text: answer },
  }));
  return { "@type": "FAQPage", mainEntity };
}

function element(data) {
  const json = JSON.stringify({ "@context": CONTEXT, ...data }).replaceAll("<", "\\u003c");
  return `<script type="application/ld+json">${json}</script>`;
}
