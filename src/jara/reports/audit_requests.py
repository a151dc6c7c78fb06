"""What a small audit asks for, and the page of the bundle that answers it."""

from typing import NamedTuple


class Request(NamedTuple):
    """A request, the page that answers it, and the heading there."""

    number: int
    request: str
    page: str
    heading: str


_ASKED = (
    ("Trial balance with opening and closing balances", "index.html", "Trial balance"),
    ("General ledger: every account with its entries", "index.html", "Trial balance"),
    ("Journal of all entries", "index.html", "Journal"),
    ("Financial statements by fund", "statements.html", "Financial position"),
    ("Restricted funds: what came in, went out and is left", "statements.html", "Net assets"),
    (
        "Bank confirmations: the balance of each account at the year's end",
        "bank.html",
        "Reconciliation",
    ),
    ("Bank reconciliation of each month", "bank.html", "Reconciliation"),
    ("Lines of the bank's statements that are in no entry", "missing.html", "Missing"),
    ("All payments over the materiality, with invoice and approval", "over.html", "Payments from"),
    ("Invoices, receipts and contracts", "documents.html", "Documents"),
    ("Approvals: who asked, who signed, when", "approvals.html", "Approvals"),
    ("Payments on the word of one person", "alone.html", "Paid on"),
    ("Cut-off at both ends of the year", "cut-off.html", "Entries around"),
    ("Entries booked later than they are dated", "late.html", "Booked later"),
    ("Journal entries by hand", "by-hand.html", "Posted or matched"),
    ("Reversals and corrections", "reversed.html", "Reversals"),
    ("Payees, with what each got", "payees.html", "Who got money"),
    ("Related parties: operators beside the payees", "payees.html", "Operators"),
    ("Minutes: the votes that decided on payments", "votes.html", "Votes"),
    ("Completeness of donations: payments of each payer", "members.html", "Payers"),
    ("Receipts to donors, with their days", "members.html", "Payers"),
    ("Numbered receipts for cash, without gaps", "cash.html", "Receipt book"),
    ("Cash counts, with their differences", "cash.html", "Counts"),
    ("The plan that the board decided, beside the books", "plan.html", "Plan and actual"),
    ("Access rights: operators, roles, keys", "people.html", "Operators"),
    ("Policies, limits and ways to pay, with the days they changed", "policies.html", "Changes"),
    ("What operators did in the year", "audit-log.html", "What operators did"),
    ("Closed years, and what was opened again", "years.html", "Closed years"),
    ("A sample that neither side chose", "sample.html", "ample"),
    ("What is missing: documents, decisions, receipts", "missing.html", "Missing"),
)
REQUESTS = tuple(Request(number, *one) for number, one in enumerate(_ASKED, 1))
