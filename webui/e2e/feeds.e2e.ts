import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";
import { PUBLIC_PAGES } from "./support/pages.ts";

const { journey } = openSite();

journey("each page names feed and calendar, as it is served and where one looks", async (visit, site) => {
  for (const [path, language] of Object.values(PUBLIC_PAGES).flatMap((one) => [
    [one, "en"],
    [`${one}${one.includes("?") ? "&" : "?"}lang=fr`, "fr"],
  ] as const)) {
    const html = await (await fetch(site.origin + path)).text();
    const head = html.slice(0, html.indexOf("</head>"));
    for (const [type, address] of [
      ["application/atom+xml", `/api/feed.xml?lang=${language}`],
      ["text/calendar", `/api/votes.ics?lang=${language}`],
    ]) {
      expect([path, head]).toEqual([path, expect.stringMatching(alternate(type!, address!))]);
    }
  }
  await visit.go("/projects");
  for (const [name, type] of [
    ["News feed (Atom)", "application/atom+xml"],
    ["Calendar of votes and events", "text/calendar"],
  ] as const) {
    const link = visit.page.getByRole("contentinfo").getByRole("link", { name });
    const answer = await fetch(new URL((await link.getAttribute("href")) ?? "", site.origin));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, expect.stringContaining(type)]);
  }
  await visit.looksRight();
  await visit.signInAs(await site.ama());
  await visit.go("/dashboard?tab=events");
  await visit.link("subscribe to this calendar").waitFor();
});

/** Matches a link with `rel="alternate"` whatever the order of its attributes is. */
function alternate(type: string, address: string): RegExp {
  const parts = ['rel="alternate"', `type="${type}"`, `href="${address}"`];
  return new RegExp(`<link${parts.map(followedBy).join("")}`);
}

/** Matches before a text that stands in the same tag. */
function followedBy(text: string): string {
  return `(?=[^>]*${text.replaceAll(/[.?+/]/g, String.raw`\$&`)})`;
}
