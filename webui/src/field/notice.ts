// What happened last, in a sentence above the form. One about a report goes when it is no longer true.

import type { FieldPage } from "@/api/schema";
import { element } from "./elements";
import type { Report } from "./store";
import { say } from "./texts";

export class Notice {
  readonly element = element("p", { class: "notice", role: "status", hidden: true });
  /** The key of the report that it is about, if any. */
  #about = "";

  say(text: string, about = ""): void {
    this.#about = about;
    // The same text again would be read aloud again.
    if (this.element.textContent !== text) this.element.textContent = text;
    this.element.hidden = text === "";
  }

  /** Says what became of the report, by what is on the phone and what the server has. */
  follow(here: readonly Report[], page: FieldPage | null): void {
    const known = [...here, ...(page?.reports ?? [])].find(({ key }) => key === this.#about);
    if (known === undefined || known.state === "queued" || known.state === "arriving") return;
    if (known.state === "waiting") this.say(say("arrived"), known.key);
    else this.say("");
  }
}
