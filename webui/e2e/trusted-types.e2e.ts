import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";

const { journey } = openSite();

// Attack: a text that reaches an HTML sink of the page. Every page with sanitised HTML or drawings
// works, and nothing but the policy of the site makes HTML or the address of a script.
journey("no text becomes HTML or a script by itself", async (visit) => {
  for (const address of ["/", "/proposals", "/projects", "/terms", "/faqs", "/check-vote"]) {
    await visit.go(address);
    await visit.looksRight();
  }
  const outcomes = await visit.page.evaluate(() => {
    const attempt = (act: () => void) => {
      try {
        act();
        return "allowed";
      } catch (error) {
        return (error as Error).name;
      }
    };
    return [
      attempt(() => (document.createElement("div").innerHTML = "<b>x</b>")),
      attempt(() => (document.createElement("script").src = "/assets/main.js")),
      attempt(() => (document.createElement("script").src = "https://js.stripe.com.evil.example/")),
      attempt(() => (document.createElement("script").src = "https://js.stripe.com/v3/")),
    ];
  });

  expect(outcomes).toEqual([...Array.from({ length: 3 }, () => "TypeError"), "allowed"]);
});
