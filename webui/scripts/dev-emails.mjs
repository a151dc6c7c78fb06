/** The kinds of email that the development server shows. */
export function inventedEmails() {
  const kind = { to: ["members", "readers"], mayBeBundled: false, hasStopLink: false, hasCode: false };
  return {
    choices: [
      { name: "at-once", about: "News as they happen, and votes." },
      { name: "monthly", about: "The news of the month in one email, and votes." },
      { name: "votes", about: "Emails about votes, and no news." },
      { name: "nothing", about: "Only what concerns my account and my money." },
    ],
    kinds: [
      { ...kind, name: "vote_opened", consent: "votes", about: "We tell you when a vote opens." },
      { ...kind, name: "event", consent: "news", about: "We tell you of events of the community." },
      { ...kind, name: "receipt", consent: "always", about: "We send a receipt for each payment of yours." },
    ],
  };
}
