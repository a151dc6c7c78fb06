import type { Budget, BudgetRow, Fund, FundLine, MemberBudget, Transaction } from "@/api/schema";

/** The budget of a year for visitors. */
export function aBudget(changes: Partial<Budget> = {}): Budget {
  return {
    year: 2026,
    available: 8904,
    allocated: 7123.5,
    unallocated: 1780.5,
    availableCents: 890_400,
    allocatedCents: 712_350,
    unallocatedCents: 178_050,
    spentCents: 500_000,
    heldCents: 212_350,
    ...changes,
  };
}

/** The budget of a year for contributors, with the funds. */
export function aMemberBudget(changes: Partial<MemberBudget> = {}): MemberBudget {
  return {
    ...aBudget(),
    funds: [
      aFund("projects", 80, 76.4),
      aFund("staff", 7, 11.2),
      aFund("marketing", 9, 8.3),
      aFund("other", 4, 4.1),
      aFund("committed", 0, 0),
    ],
    plan: [],
    ...changes,
  };
}

/** Details of the row Allocated. */
export function someBudgetDetails(): BudgetRow {
  return {
    row: "allocated",
    year: 2026,
    totalCents: 712_350,
    funds: [{ fund: "projects", spentCents: 500_000, heldCents: 212_350, cents: 712_350 }],
    accounts: [
      { account: "expenses:projects:clean-water", cents: 480_000 },
      { account: "expenses:fees:bank", cents: 20_000 },
      { account: "expenses:insurance", cents: 1_000 },
    ],
    commitments: [],
  };
}

/** A transaction. */
export function aTransaction(changes: Partial<Transaction> = {}): Transaction {
  return {
    id: "entry1",
    date: "2026-11-18",
    description: "Pledge payment",
    kind: "pledge",
    type: "subscription",
    amountCents: 1000,
    funds: { projects: 800, staff: 70, marketing: 90, other: 40 },
    reference: null,
    details: { category: "income:pledges", reference: null, description: "Pledge payment" },
    ...changes,
  };
}

/** An outgoing payment. */
export function aSalary() {
  return aTransaction({
    id: "entry2",
    date: "2026-11-15",
    description: "Field coordinator",
    kind: "salary",
    type: "salary",
    amountCents: -2600,
    funds: { staff: -2600 },
    details: {
      category: "expenses:staff",
      reference: "SAL-0311",
      description: "First half of November",
    },
  });
}

function aFund(fund: Fund, promisedShare: number, actualShare: number): FundLine {
  return {
    fund,
    receivedCents: 100_000,
    spentCents: 90_000,
    heldCents: 0,
    promisedShare,
    actualShare,
  };
}
