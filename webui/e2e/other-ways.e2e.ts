import { expect } from "vitest";
import { introduceSomebody } from "./support/joining.ts";
import { openSite } from "./support/journeys.ts";

const { journey } = openSite();
const ACCOUNT = ["--iban", "DE89 3704 0044 0532 0130 00", "--holder", "Jara e.V.", "--euro"];

journey(
  "somebody promises to pay by transfer, pays, and may vote",
  async (visit, organisation) => {
    const way = ["payments", "ways", "set", "transfer", "--account", "assets:bank", ...ACCOUNT];
    await organisation.jara(...way);
    const { firstname, email } = await introduceSomebody(visit);
    await visit.press("Next");
    await visit.field(/^Bank transfer/).check();
    await visit.sees("A promise alone gives no vote. When your first payment is in, you may vote.");
    await visit.looksRight();
    await visit.press("Join and see how to pay");
    await visit.sees("Your promise is noted");
    await visit.sees("DE89 3704 0044 0532 0130 00");
    await visit.page.getByRole("img", { name: /QR code/ }).waitFor();
    await visit.looksRight();
    await visit.press("Copy: Reference");
    const reference = await visit.page.evaluate(() => navigator.clipboard.readText());
    expect(reference).toMatch(/^J[0-9A-Z]{3}-[0-9A-Z]{4}$/);
    await visit.link("Go to my dashboard").click();
    await visit.arrivesAt("/dashboard");
    await visit.page.getByRole("heading", { name: firstname }).waitFor();
    await visit.sees("Waiting for your first payment");
    await visit.looksRight();

    await organisation.jara("payments", "receive", reference, "10");
    await visit.page.reload();
    await visit.settle();
    await visit.sees(/^Paid until/);
    await visit.sees(/You can vote until /);
    await visit.looksRight();
    expect(JSON.parse(await organisation.jara("members", "show", email, "--json"))).toMatchObject({
      mayVote: true,
    });
  },
);
