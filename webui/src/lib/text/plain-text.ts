import { trustedHtml } from "@/lib/page/trusted-html";

/** The text of a piece of HTML that the server sanitised, with a space where a paragraph ends. */
export function plainText(html: string): string {
  const page = new DOMParser().parseFromString(
    trustedHtml(html.replaceAll("</p>", "</p> ")),
    "text/html",
  );
  return page.body.textContent.replaceAll(/\s+/g, " ").trim();
}
