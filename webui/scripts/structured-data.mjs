// What search engines read besides the text of a page (schema.org).
const CONTEXT = "https://schema.org";

/** The elements that describe a page, or "" for a page that its text describes well enough. */
export function structuredData(address, answers, site) {
  if (address === "/") return element(organisation(site));
  if (address === "/faqs") return element(questions(answers["/faqs"]));
  return "";
}

function organisation(site) {
  return { "@type": "NGO", name: "Jara", url: `${site}/`, logo: `${site}/art/mark.svg` };
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
