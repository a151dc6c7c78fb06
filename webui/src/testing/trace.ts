export const NO_MONEY = { receivedCents: 0, refundedCents: 0, waitingCents: 0, paid: [] };

/** What a member gave, and what became of it. */
export function aTrace(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    period: { from: "2000-01-01", to: "2026-11-21" },
    isHomeCurrency: false,
    books: { size: 826, root: "7070f696", at: null },
    contributions: [
      aContribution("2026-10-02", "a"),
      { ...aContribution("2026-11-02", "b"), refundedCents: 500 },
    ],
    paidCents: 4000,
    refundedCents: 500,
    keptCents: 3500,
    funds: {
      projects: {
        receivedCents: 3200,
        refundedCents: 400,
        waitingCents: 800,
        paid: [
          aPaidShare("expenses:projects:clean-water-boreholes", "Clean water boreholes", 1000),
          aPaidShare("expenses:grants:cold-chain", "Vaccine cold chain", 600),
          aPaidShare("expenses:projects:clean-water-boreholes", "Clean water boreholes", 400),
        ],
      },
      staff: {
        receivedCents: 280,
        refundedCents: 35,
        waitingCents: 100,
        paid: [aPaidShare("expenses:fees", "Payment fees", 145)],
      },
      marketing: {
        receivedCents: 360,
        refundedCents: 45,
        waitingCents: 265,
        paid: [aPaidShare("expenses:marketing", "Marketing", 50)],
      },
      other: { ...NO_MONEY, receivedCents: 160, waitingCents: 140, refundedCents: 20 },
    },
    ...changes,
  };
}

export function aContribution(date: string, reference: string) {
  return { date, kind: "pledge", reference, amountCents: 2000, refundedCents: 0, feeCents: 88 };
}

export function aPaidShare(account: string, project: string, cents: number) {
  return { account, project, entry: "e", date: "2026-05-30", cents };
}
