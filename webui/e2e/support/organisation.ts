import { createHmac } from "node:crypto";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { openSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { decoded } from "./email.ts";
import { freePort } from "./free-port.ts";
import { environment, runJara } from "./jara.ts";

export type Person = {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
};

// All test members have the same IP address.
const LIMITS = "SIGN_IN_ADDRESS EMAIL_EXISTS_ADDRESS REGISTER_ADDRESS DECLINED_ADDRESS MAIL_NETWORK MAIL_ALL";
const ROOM = Object.fromEntries(
  LIMITS.split(" ").map((use) => [`JARA_LIMIT_${use}`, "1000/min"]),
);

/** The member with two years of history that `jara demo` prints. */
const AMA = { firstname: "Ama", lastname: "Mensah", email: "ama.mensah@example.org" };
const AMA_PASSWORD = "kente-harbour-sunrise";
export const PASSWORD = "harmattan over the savannah";

type Claims = { auth_time: number; iat: number; nbf: number };

let people = 0;

/** A separate organisation, served by `jara serve` on a free local port. */
export class Organisation {
  readonly origin: string;
  readonly #folder: string;
  readonly #server: ChildProcess;

  private constructor(folder: string, origin: string, server: ChildProcess) {
    this.#folder = folder;
    this.origin = origin;
    this.#server = server;
  }

  /** Serves a copy of an organisation with the given settings, under a name of this machine. */
  static async serve(
    template: string,
    settings: Readonly<Record<string, string>> = {},
    host = "127.0.0.1",
  ): Promise<Organisation> {
    const folder = await mkdtemp(path.join(os.tmpdir(), "jara-e2e-site-"));
    await cp(template, folder, { recursive: true });
    if ("JARA_STRIPE_SECRET_KEY" in settings) enterTestMode(folder);
    const port = await freePort();
    const origin = `http://${host}:${port}`;
    const log = openSync(path.join(folder, "server.log"), "w");
    const args = ["--db", "jara.db", "serve", "--port", String(port), "--workers", "1"];
    const server = spawn("jara", args, {
      cwd: folder,
      env: environment({ JARA_SITE_URL: origin, ...ROOM, ...settings }),
      stdio: ["ignore", log, log],
    });
    const organisation = new Organisation(folder, origin, server);
    await organisation.#waitUntilReady();
    return organisation;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    if (this.#server.exitCode === null && this.#server.kill("SIGTERM")) await ended;
    await rm(this.#folder, { recursive: true });
  }

  /** Path of the database. */
  get folder(): string {
    return this.#folder;
  }

  /** The server's last log lines, without requests for static files. */
  async logTail(): Promise<string> {
    const log = await readFile(path.join(this.#folder, "server.log"), "utf8");
    const lines = log.split("\n").filter((line) => !line.includes('"route": "(website)"'));
    return lines.slice(-15).join("\n");
  }

  /** Runs a `jara` command on the database. */
  async jara(...args: readonly string[]): Promise<string> {
    const here = { JARA_SITE_URL: this.origin };
    return await runJara(this.#folder, ["--db", "jara.db", ...args], here);
  }

  /** A member who has just joined and may vote. */
  async newMember(named: Partial<Person> = {}): Promise<Person> {
    const person = { ...newPerson(), ...named };
    const { token } = await this.post("/register", {
      ...person,
      country: "Ghana",
      notifications: false,
      privacyPolicy: true,
      contribution: "10",
      billingDay: "current",
      paymentMethodId: "pm_card_visa",
    });
    return { ...person, token: String(token) };
  }

  /** The member with a history, signed in. */
  async ama(): Promise<Person> {
    const { token } = await this.post("/user/login", { email: AMA.email, password: AMA_PASSWORD });
    return { ...AMA, password: AMA_PASSWORD, token: String(token) };
  }

  /** The same member with a token from an hour ago: too old for sensitive changes. */
  async withOldSignIn(person: Person): Promise<Person> {
    const key = await readFile(path.join(this.#folder, "jara.secrets", "token.key"), "ascii");
    const [head, payload = ""] = person.token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims;
    for (const time of ["auth_time", "iat", "nbf"] as const) claims[time] -= 3600;
    const body = `${head}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
    const proof = createHmac("sha256", Buffer.from(key, "hex")).update(body).digest("base64url");
    return { ...person, token: `${body}.${proof}` };
  }

  /** Puts a proposal to the vote, and returns its slug. */
  async openProposal(title: string, ends: Date): Promise<string> {
    const proposal = {
      title,
      summary: "Ten stalls get a roof that keeps the rain out.",
      fundingGoal: 900,
      country: "Togo",
      countryCode: "TG",
      category: "business",
      endDate: ends.toISOString().replace(/\.\d+Z/, "Z"),
    };
    const file = path.join(this.#folder, `${title.replaceAll(/\W+/g, "-")}.json`);
    await writeFile(file, JSON.stringify(proposal));
    const { slug } = JSON.parse(await this.jara("proposals", "new", file, "--json", "--yes")) as {
      slug: string;
    };
    await this.jara("proposals", "open", slug, "--yes");
    return slug;
  }

  /** Opens a vote that ends as soon as possible. */
  async openShortVote(title: string): Promise<{ readonly slug: string; readonly end: number }> {
    const began = Date.now();
    await this.jara("proposals", "list", "--json");
    const end = Date.now() + 5000 + 20 * (Date.now() - began);
    return { slug: await this.openProposal(title, new Date(end)), end };
  }

  /** The link to a page of the site in the newest email to an address. */
  async linkInMailTo(address: string, page: string): Promise<string> {
    const deadline = Date.now() + 60_000;
    while (Date.now() < deadline) {
      // The email may still be on its way.
      await this.jara("mail", "send");
      const link = await this.#linkInMailTo(address, page);
      if (link !== null) return link;
      await wait(200);
    }
    throw new Error(`No email to ${address} leads to ${page}.`);
  }

  async #linkInMailTo(address: string, page: string): Promise<string | null> {
    for (const email of await this.#emails()) {
      const link = new RegExp(`${this.origin}${page}\\?[^\\s">]+`).exec(email)?.[0];
      if (email.includes(address) && link !== undefined) return link.slice(this.origin.length);
    }
    return null;
  }

  /** The text of the newest email to an address that has some words, once it is sent. */
  async textOfMailTo(address: string, words: string, signing: readonly string[] = []): Promise<string> {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(200)) {
      await this.jara(...signing, "mail", "send");
      const emails = await this.#emails();
      const email = emails.find((text) => text.includes(address) && text.includes(words));
      if (email !== undefined) return email;
    }
    throw new Error(`No email to ${address} says "${words}".`);
  }

  /** The emails that were sent, the newest first; before the first one there is no folder. */
  async #emails(): Promise<string[]> {
    const folder = path.join(this.#folder, "jara.mail");
    const names = (await readdir(folder).catch(() => [])).toSorted().toReversed();
    return await Promise.all(names.map(async (name) => decoded(await readFile(path.join(folder, name), "utf8"))));
  }

  async post(call: string, body: object, token?: string): Promise<Record<string, unknown>> {
    return await this.#send("POST", call, body, token);
  }

  async put(call: string, body: object, token: string): Promise<Record<string, unknown>> {
    return await this.#send("PUT", call, body, token);
  }

  /** Makes a call of the API and expects it to succeed. */
  async #send(
    method: "POST" | "PUT",
    call: string,
    body: object,
    token?: string,
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.origin}/api${call}`, {
      method,
      headers: { "Content-Type": "application/json", ...(token === undefined ? {} : { token }) },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${call}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  async #waitUntilReady(): Promise<void> {
    const deadline = Date.now() + 90_000;
    while (Date.now() < deadline && this.#server.exitCode === null) {
      const answer = await fetch(`${this.origin}/readyz`).catch(() => null);
      if (answer?.ok === true) return;
      await wait(50);
    }
    throw new Error(`The server did not start:\n${await this.logTail()}`);
  }
}

/** A person with a unique name and email address. */
export function newPerson(): Omit<Person, "token"> {
  people += 1;
  const lastname = `Tester${["A", "B", "C", "D", "E", "F", "G", "H"][people % 8]}`;
  const email = `efua.${process.pid}.${people}@example.org`;
  return { firstname: "Efua", lastname, email, password: PASSWORD };
}

/** Lets the copy of a sandbox organisation take Stripe's test keys, which `jara` itself refuses. */
function enterTestMode(folder: string): void {
  const program = `
import sqlite3
with sqlite3.connect("jara.db") as database:
    database.execute("UPDATE meta SET value = 'test' WHERE key = 'payments.mode'")
`;
  execFileSync("python3", ["-c", program], { cwd: folder });
}
