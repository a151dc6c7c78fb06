import { expect } from "vitest";
import { typeCard, GOOD_CARD } from "./support/joining.ts";
import { openSite, WIDTHS } from "./support/journeys.ts";
import { MEMBER_PAGES } from "./support/pages.ts";

const { journey } = openSite();

for (const [name, path] of Object.entries(MEMBER_PAGES)) {
  journey(`a member reads the page: ${name}`, async (visit, site) => {
    await visit.signInAs(await site.ama());
    await visit.go(path);
    await visit.looksRight();
    await visit.looksRightInTheDark();
    expect(await visit.page.locator("h1").count(), "one first heading").toBe(1);
    if (!visit.narrow) return;
    await visit.fitsEverywhere();
    await visit.looksRightWhenWide();
  }, name === "dashboard" ? WIDTHS : undefined);
}

journey("a member changes the pledge; amounts beyond the limits are refused", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard");
  await visit.press("Change it");
  const amount = visit.field("New monthly amount");
  await amount.fill("3");
  await visit.press("Update");
  await visit.sees("The minimum pledge is $5.");
  await amount.fill("10.5");
  await visit.press("Update");
  await visit.sees("Enter a whole amount, without decimals.");
  await visit.looksRight();
  await amount.fill("25");
  await visit.press("Update");
  await visit.button("Change it").waitFor();
  await visit.sees("$25");
  await visit.press("Change it");
  await amount.fill("40");
  await visit.press("Cancel");
  await visit.page.reload();
  await visit.sees("$25");
});

journey("the to-do list is kept, counted and folded", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard");
  await visit.sees("2/3");
  const first = visit.page.getByRole("checkbox", { name: /Invite a friend/ });
  expect(await first.isChecked(), "the first starts incomplete").toBe(false);
  await first.check();
  await visit.sees("3/3");
  await visit.settle();
  await visit.page.reload();
  await visit.sees("3/3");
  await visit.press("Collapse the to-do list");
  expect(await first.isVisible()).toBe(false);
  await visit.press("Expand the to-do list");
  await first.uncheck();
  await visit.sees("2/3");
});

journey("the tabs of the member area are in the address", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard");
  await visit.page.getByRole("tab", { name: "Account" }).click();
  await visit.page.waitForURL(/tab=account/);
  await visit.page.keyboard.press("ArrowRight");
  await visit.page.waitForURL(/tab=events/);
  // The open vote is listed, so it counts, and the page does not say that there is nothing.
  await visit.page.getByRole("tab", { name: "Events 1" }).waitFor();
  await visit.page.getByRole("tabpanel").getByRole("region", { name: "Vote in progress" }).waitFor();
  expect(await visit.page.getByText("No events available at the moment.").count()).toBe(0);
  await visit.press("Logout");
  await visit.arrivesAt("/");
});

journey("a pledge is skipped, paused, resumed, moved, stopped and restarted", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard?tab=account");
  await visit.press("Skip it");
  await visit.press("Don't skip it");
  await visit.button("Skip it").waitFor();
  await visit.press("Pause my pledge");
  await visit.press("Resume");
  await visit.button("Pause my pledge").waitFor();
  await visit.page.getByRole("radio", { name: /^28th/ }).check();
  await visit.press("Change the day");
  await visit.page.getByRole("radio", { name: /^28th/, checked: true }).waitFor();
  await visit.press("Stop my pledge");
  await visit.looksRight();
  await visit.dialog.getByRole("button", { name: "Stop my pledge" }).click();
  await visit.sees("You have no active pledge.");
  await visit.page.getByRole("tab", { name: "Dashboard" }).click();
  await visit.sees("You have no pledge right now");
  await visit.press("Start my pledge");
  await visit.looksRight();
  await visit.press("$20");
  await visit.page.locator("input[type=radio][value=current]").check();
  await typeCard(visit, GOOD_CARD);
  await visit.page.getByRole("main").locator("form").getByRole("button", { name: "Start my pledge" }).click();
  await visit.isTold("Your pledge is active. Thank you.");
  await visit.sees("$20");
});

journey("billing shows what was paid and takes another card", async (visit, site) => {
  await visit.signInAs(await site.newMember());
  await visit.go("/dashboard?tab=account");
  const [billing] = await Promise.all([
    visit.page.waitForEvent("popup"),
    visit.press("Open billing"),
  ]);
  await billing.waitForURL(/\/sandbox\/billing/);
  await billing.close();
  await visit.go("/sandbox/billing");
  await visit.sees("Monthly contribution");
  await typeCard(visit, GOOD_CARD);
  await visit.press("Use this card from now on");
  await visit.isTold("Your card has been replaced.");
  await visit.looksRight();
  await visit.press("Stop my pledge");
  await visit.press("Are you sure? Press again to stop.");
  await visit.isTold("Your pledge has stopped.");
  await visit.sees("stopped");
});
