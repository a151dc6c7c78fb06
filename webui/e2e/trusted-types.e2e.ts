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
    const sinks = [
      () => (document.createElement("div").innerHTML = "<b>x</b>"),
      () => (document.createElement("script").src = "/assets/main.js"),
      () => (document.createElement("script").src = "https://js.stripe.com.evil.example/"),
      () => (document.createElement("script").src = "https://js.stripe.com/v3/"),
    ];
    return sinks.map((sink) => {
      try {
        sink();
        return "allowed";
      } catch (error) {
        return (error as Error).name;
      }
    });
  });

  expect(outcomes).toEqual(["TypeError", "TypeError", "TypeError", "allowed"]);
});
