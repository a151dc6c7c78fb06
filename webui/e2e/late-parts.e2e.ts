import { openSite } from "./support/journeys.ts";

// A part of a page whose script did not arrive: the next press fetches it again.

const { journey } = openSite();

for (const [name, chunk] of [["Cast Vote", "vote-dialog"], ["Share", "share-dialog"]] as const) {
  journey(`${name} opens its dialog at the next press after its script failed`, async (visit, site) => {
    await visit.signInAs(await site.newMember());
    await visit.go("/proposals");
    visit.expectLosses(/assets/);
    await visit.page.route(`**/assets/${chunk}-*.js`, (route) => route.abort(), { times: 1 });
    await visit.press(name);
    await visit.page.getByText("This part did not load.").first().waitFor({ state: "attached" });
    await visit.press(name);
    await visit.dialog.waitFor();
  });
}
