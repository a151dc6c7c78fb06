import { execFileSync } from "node:child_process";
import path from "node:path";
import { runJara } from "./jara.ts";
import type { Organisation } from "./organisation.ts";

/** An organisation with an admin and a bookkeeper who have SSH keys, and a limit of $20. */
export class Board {
  readonly #site: Organisation;

  private constructor(site: Organisation) {
    this.#site = site;
  }

  static async elect(site: Organisation): Promise<Board> {
    const board = new Board(site);
    for (const name of ["ada", "kit"]) {
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path.join(site.folder, name)]);
    }
    await board.as("ada", "operators", "add", "ada", "--key", "ada.pub");
    await board.as("ada", "operators", "policy", "set", "--limit", "20", "--why", "Voted", "--yes");
    await board.as("ada", "operators", "add", "kit", "--key", "kit.pub", "--role", "bookkeeper");
    await board.as("ada", "operators", "address", "kit", "kit@example.org");
    return board;
  }

  /** Runs a command that somebody signs with an SSH key; one that waits for approval is no error. */
  async as(name: string, ...words: readonly string[]): Promise<string> {
    const here = { JARA_SITE_URL: this.#site.origin, JARA_OPERATOR: name };
    try {
      return await runJara(this.#site.folder, ["--db", "jara.db", "--key", name, ...words], here);
    } catch (error) {
      const ended = error as { readonly code?: number; readonly stdout?: string };
      if (ended.code === 6) return ended.stdout ?? "";
      throw error;
    }
  }

  /** Lets a payment wait; returns its id. */
  async pay(amount: string, why: string, ...more: readonly string[]): Promise<string> {
    const words = ["--debit", "expenses:operations", "--credit", "assets:bank", "--fund", "staff"];
    const answer = await this.as("kit", "ledger", "post", ...words, "--amount", amount, "--why", why, ...more, "--json");
    return (JSON.parse(answer) as { readonly id: string }).id;
  }

  /** The newest email to an address that has some words. */
  async mailTo(address: string, words: string): Promise<string> {
    return await this.#site.textOfMailTo(address, words, ["--key", "ada"]);
  }

  /** Invites a phone; returns the end of the link in the email. */
  async invitation(name: string): Promise<string> {
    const email = `${name}@example.org`;
    await this.as("ada", "operators", "invite", name, "--role", "approver", "--email", email);
    const text = await this.mailTo(email, "#invitation=");
    return /#invitation=([\w=-]+)/.exec(text)?.[0] ?? "";
  }
}
