import type { EmailKinds } from "@/api/schema";

/** The choices of emails, and a kind of each consent. */
export function someEmailKinds(): EmailKinds {
  const kind = { to: ["members"], mayBeBundled: false, hasStopLink: false, hasCode: false } as const;
  return {
    choices: [
      { name: "at-once", about: "News as they happen, and votes." },
      { name: "monthly", about: "The news of the month in one email, and votes." },
      { name: "votes", about: "Emails about votes." },
      { name: "nothing", about: "Nothing but my own money." },
    ],
    kinds: [
      { ...kind, name: "vote_opened", about: "We tell of votes.", to: ["members", "readers"], consent: "votes" },
      { ...kind, name: "update", about: "We tell of projects.", consent: "news" },
      { ...kind, name: "receipt", about: "We send receipts.", consent: "always" },
      { ...kind, name: "way_changed", about: "We tell operators.", to: ["operators"], consent: "always" },
    ],
  };
}
