import { expect } from "vitest";
import { openSite } from "./support/journeys.ts";
import type { Visit } from "./support/visit.ts";

const MAIL = /^mailto:hello@jara\.example/;
const CHAT = "https://chat.jara.example/";
const GIVE = "https://give.jara.example/";

const LINKS = ["--contact", "hello@jara.example", "--chat", CHAT, "--donate-url", GIVE, "--x", "https://x.example/j"];

const { journey } = openSite();

journey("configured contact, chat and donation links are used", async (visit, site) => {
  await site.jara("organisation", "set", ...LINKS);
  await visit.go("/why-jara-exists");
  expect(await target(visit, "Ask a question")).toMatch(MAIL);
  expect(await target(visit, /^Let's chat/)).toBe(CHAT);
  await visit.looksRight();
  await visit.go("/grants");
  expect(await target(visit, "Contact our team")).toMatch(MAIL);
  await visit.go("/ledger");
  expect(await target(visit, "Contact the team")).toMatch(MAIL);
  await visit.go("/faqs");
  expect(await target(visit, "Contact support")).toMatch(MAIL);
  const footer = visit.page.getByRole("contentinfo");
  await footer.getByRole("link", { name: /^X/ }).waitFor();
  await visit.looksRight();
  if (visit.narrow) await visit.press("Open menu");
  expect(await target(visit, /^Donate/)).toBe(GIVE);
});

journey("a member can join the chat", async (visit, site) => {
  await site.jara("organisation", "set", "--chat", CHAT);
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard");
  expect(await target(visit, /^Join the chat/)).toBe(CHAT);
  expect(await visit.link(/^Join the chat/).getAttribute("target")).toBe("_blank");
  await visit.looksRight();
});

async function target(visit: Visit, name: string | RegExp): Promise<string> {
  return (await visit.link(name).getAttribute("href")) ?? "";
}
