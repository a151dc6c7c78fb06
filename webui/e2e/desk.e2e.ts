import { execFileSync } from "node:child_process";
import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { plugInAuthenticator } from "./support/authenticator.ts";
import { Board } from "./support/board.ts";
import { openSite } from "./support/journeys.ts";
import type { Visit } from "./support/visit.ts";

// A trustee without a terminal: invited by email, confirmed by six words, signs with a phone. Each
// journey elects a board, which an organisation does once, so it has one width.
// A passkey belongs to a name, so browsers refuse one for an address in numbers.
const [trustee, failing] = [openSite({}, undefined, "localhost"), openSite({}, undefined, "localhost")];

// The pictures of docs/trustee.md are of these pages: JARA_DESK_PICTURES=1 draws them again.
const PICTURES = fileURLToPath(new URL("../../docs/images/desk", import.meta.url));

const PHOTO = fileURLToPath(new URL("../public/samples/ebb3ee5bae0a5d1fe9387f63aa06581e68f65f6eacfadd2307f93f4e8f3f2bcc.jpg", import.meta.url));

async function draw(visit: Visit, name: string): Promise<void> {
  if (process.env["JARA_DESK_PICTURES"] !== "1") return;
  await mkdir(PICTURES, { recursive: true });
  await visit.page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
}

trustee.journey("a trustee is invited, confirmed, and approves with four taps", async (visit, site) => {
  await plugInAuthenticator(visit);
  const board = await Board.elect(site);
  const { page } = visit;
  await visit.go(`/desk${await board.invitation("ama")}`);
  await visit.sees("ada invites you, as ama");
  await visit.looksRight();
  await draw(visit, "invitation");
  await page.getByRole("button", { name: "Make my key" }).click();
  await visit.sees("Call ada, and read out these six words");
  const words = (await page.locator(".words strong").textContent()) ?? "";
  expect(words.split(" ")).toHaveLength(6);
  await draw(visit, "words");
  expect(new URL(page.url()).hash).toBe("");
  await board.as("ada", "operators", "confirm", "ama", "--words", words);

  const slip = "slip.jpg";
  await copyFile(PHOTO, path.join(site.folder, slip));
  const id = await board.pay("100", "The printer's invoice of May", "--document", `slip=${slip}`);
  const email = await board.mailTo("ama@example.org", "kit asks for your approval");
  expect(email).toContain("$100.00 leave the account, booked to expenses:operations.");
  // The virtual sensor confirms at once: two taps on the page and two on the sensor.
  await visit.go("/desk");
  await page.getByRole("button", { name: "Sign in with your passkey" }).click();
  const card = page.getByRole("article");
  await card.getByRole("heading", { name: "$100.00 leave the account, booked to expenses:operations." }).waitFor();
  const shown = (await card.locator(".words strong").textContent()) ?? "";
  expect(email.replaceAll(/\s+/gu, " ")).toContain(shown);
  expect(await board.as("ada", "approvals", "show", id)).toContain(shown);
  await visit.looksRight();
  await draw(visit, "waiting");
  await card.getByRole("button", { name: /Look at its slip of the bank/ }).click();
  await card.getByRole("img", { name: "slip of the bank" }).waitFor();
  await visit.looksRight();
  await card.getByRole("button", { name: "Approve" }).click();
  await visit.sees(/Done: \$100\.00 leave the account.*leaf \d+ of the public log/);
  await visit.sees("Nothing waits for a signature.");
  await draw(visit, "done");

  const script = await board.as("ada", "approvals", "show", id, "--signatures");
  const checked = execFileSync("sh", { input: script }).toString();
  expect(checked.match(/Good "jara-act" signature/gu)).toHaveLength(2);
  await site.jara("ledger", "verify");

  const other = await board.pay("30", "Flowers");
  await visit.press("Look again");
  await visit.press("Refuse");
  await visit.press("Refuse");
  await visit.sees("Please give a reason.");
  await page.getByLabel("Why do you refuse?").fill("No flowers.");
  await visit.press("Refuse");
  await visit.sees(/Refused; nothing was done: \$30\.00/);
  expect(await board.as("ada", "approvals", "show", other)).toContain("refused");
}, [390]);

failing.journey("the desk says what went wrong, and nothing is signed", async (visit, site) => {
  await plugInAuthenticator(visit);
  const board = await Board.elect(site);
  const { page } = visit;
  await visit.go(`/desk?lang=fr${await board.invitation("ida")}`);
  await page.getByRole("button", { name: "Créer ma clé" }).click();
  await visit.sees("Appelez ada et lisez ces six mots.");
  const words = (await page.locator(".words strong").textContent()) ?? "";
  await board.as("ada", "operators", "confirm", "ida", "--words", words);
  const id = await board.pay("30", "Chairs");
  await visit.go("/desk?lang=en");
  await page.getByRole("button", { name: "Sign in with your passkey" }).click();
  const card = page.getByRole("article");
  await card.waitFor();
  const approve = card.getByRole("button", { name: "Approve" });

  await page.evaluate(() => {
    const own = navigator.credentials.get.bind(navigator.credentials);
    let isCancelled = true;
    navigator.credentials.get = (options) => {
      if (!isCancelled) return own(options);
      isCancelled = false;
      return Promise.reject(new DOMException("cancelled", "NotAllowedError"));
    };
  });
  await approve.click();
  await visit.sees("Nothing was signed. You can try again.");

  visit.expectLosses(/\/approve/);
  await page.route("**/approve", (route) => route.abort());
  await approve.click();
  await visit.sees("The network went away while the signature was sent.");
  await page.unroute("**/approve");

  await board.as("ada", "approvals", "approve", id, "--yes");
  visit.expectRefusals(410);
  await approve.click();
  await visit.sees("Somebody has decided on this already.");
  await visit.sees("Approved by ada");

  const changed = await board.pay("25", "Tables");
  await page.route("**/api/desk/waiting", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replaceAll("Tables", "Chairs");
    await route.fulfill({ response: answer, body });
  });
  await visit.press("Look again");
  await visit.sees("The server shows other words than this page makes of the text.");
  expect(await approve.count()).toBe(0);
  await page.unrouteAll();
  await board.as("ada", "approvals", "refuse", changed, "--why", "Enough tables");

  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "PublicKeyCredential"));
  await visit.go("/desk");
  await visit.sees("This browser cannot sign: it knows no passkeys.");
  await visit.looksRight();

  // Chromium renders `noscript` only where a person switched scripts off.
  const plain = await fetch(`${site.origin}/desk?lang=fr`);
  expect(await plain.text()).toMatch(/<noscript>.*ce qui demande JavaScript/u);
}, [390]);
