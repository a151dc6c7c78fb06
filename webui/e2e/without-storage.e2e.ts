import { openSite } from "./support/journeys.ts";
import { everyAddress, openPage } from "./support/pages.ts";
import { size } from "./support/soak.ts";

// A browser that blocks storage, as some private windows and settings do.

const { journey } = openSite({}, async (context) => {
  await context.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException("Storage is blocked.", "SecurityError");
        },
      });
    }
  });
});

journey("without storage each page has its heading, and nothing fails", async (visit, site) => {
  for (const address of [...everyAddress().slice(0, size(8, 100, 100)), "/field", "/my-impact/2026"]) {
    // oxlint-disable-next-line no-await-in-loop - one page at a time
    await openPage(visit, site, address);
    // oxlint-disable-next-line no-await-in-loop - one page at a time
    await visit.page.locator("h1").first().waitFor();
  }
}, [390]);

journey("without storage a session lasts as long as the page", async (visit, site) => {
  const member = await site.newMember();
  await visit.go("/login");
  await visit.field("Email").fill(member.email);
  await visit.field("Password").fill(member.password);
  await visit.press("Sign in");
  await visit.isTold("Login successful");
  await visit.arrivesAt("/");
  await visit.link("My Dashboard").click();
  await visit.arrivesAt("/dashboard");
  await visit.sees("Your contribution");
  await visit.press("Logout");
  await visit.arrivesAt("/");
}, [390]);
