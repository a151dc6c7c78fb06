"""The money of the demonstration besides pledges: grants, costs, gifts, refunds, papers."""

from random import Random

from jara.domain.books.account import BANK, Fund
from jara.domain.books.plan import PlanLine
from jara.domain.books.spending import Spending, grant_entry, opening_entry, spending_entry
from jara.domain.control.state import Limits
from jara.domain.errors import Unavailable
from jara.domain.money import format_cents
from jara.domain.papers import PaperKind
from jara.records.journal import FixedCostLine
from jara.records.operations import Approval
from jara.services.books.bank_charges import post_bank_charge
from jara.services.books.bookkeeping import post_entry
from jara.services.books.papers import PaperFile, with_documents
from jara.services.books.plans import import_plan, publish_plan
from jara.services.books.posting import fund_balances
from jara.services.context import Context
from jara.services.operations.control import set_limits
from jara.services.payments.refunding import refund_payment
from jara.services.samples.words import in_own_words

_FONT = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
_FROM_CENTS, _WITHIN_DAYS = 20_00, 30


def ask_for_documents(context: Context) -> None:
    """Ask for a document of each spend from an amount on."""
    rule = Limits(documents_from_cents=_FROM_CENTS, documents_within_days=_WITHIN_DAYS)
    set_limits(context, rule, why=in_own_words(context, "Decided by the board"))


def sample_paper(
    context: Context, kind: PaperKind, cents: int, what: str
) -> tuple[PaperFile, PaperKind]:
    """Return a document of a payment, as a PDF of one page."""
    sample = in_own_words(context, "Sample")
    words = (sample, kind.value, context.today().isoformat(), what, format_cents(cents))
    lines = " 0 -24 Td ".join(f"({_plain(word)}) Tj" for word in words)
    text = f"BT /F1 16 Tf 72 720 Td {lines} ET"
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R {_FONT} >>",
        f"<< /Length {len(text)} >>\nstream\n{text}\nendstream",
    )
    made, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(made))
        made += f"{number} 0 obj\n{body}\nendobj\n"
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 5\n0000000000 65535 f \n{rows}trailer\n<< /Size 5 /Root 1 0 R >>\n"
    made += f"{end}startxref\n{len(made)}\n%%EOF\n"
    return PaperFile("application/pdf", made.encode("ascii")), kind


def _plain(text: str) -> str:
    """Return a text as a PDF with a built-in font writes it: in ASCII, without brackets."""
    return text.encode("ascii", "replace").decode().translate({40: " ", 41: " ", 92: " "})


OPENING_CENTS = {
    Fund.PROJECTS: 240_000,
    Fund.STAFF: 65_000,
    Fund.MARKETING: 30_000,
    Fund.OTHER: 80_000,
}
GRANT_STEP_CENTS = 50_000
CUSHION_CENTS = 60_000
BANK_CHARGE_CENTS = 250
PLANNED_CENTS = 10_000
"""What the plan of the demo expects from a member in a year."""
_GIFTS_CENTS = (1_000, 2_500, 2_500, 5_000, 10_000, 20_000)


def open_books(context: Context) -> None:
    """Book the opening balances."""
    cells = {(BANK, fund): cents for fund, cents in OPENING_CENTS.items()}
    post_entry(context, opening_entry(context.today(), cells))


def receive_grant(context: Context, *, for_cents: int) -> int:
    """Receive a grant for what the projects fund lacks to pay an amount, rounded up."""
    with context.store.read() as work:
        free = fund_balances(work)[Fund.PROJECTS]
    lacking = for_cents + CUSHION_CENTS - free
    if lacking <= 0:
        return 0
    cents = -(-lacking // GRANT_STEP_CENTS) * GRANT_STEP_CENTS
    post_entry(context, grant_entry(context.today(), {Fund.PROJECTS: cents}))
    return cents


UNPROVEN = Fund.MARKETING
"""The fund whose receipts somebody still has."""


def pay_month(context: Context, *, month: int) -> None:
    """Pay a month's fixed costs, a little for marketing, and the bank's charge."""
    day = context.today()
    with context.store.read() as work:
        lines = work.book_settings.fixed_costs()
    for line in lines:
        if line.cost.is_in_force(day):
            fund = Fund.STAFF if _is_staff(line) else Fund.OTHER
            account = "expenses:staff" if _is_staff(line) else "expenses:operations"
            _spend(context, account, fund, line.cost.monthly_cents, why=line.cost.name)
    cents = 1_200 + month % 4 * 700
    why = in_own_words(context, "Flyers and posters")
    _spend(context, "expenses:marketing", Fund.MARKETING, cents, why=why)
    post_bank_charge(context, cents=BANK_CHARGE_CENTS)


def plan_year(context: Context, *, year: int, members: int) -> None:
    """Import the plan of a year, and show it to members."""
    with context.store.read() as work:
        lines = work.book_settings.fixed_costs()
    staff = sum(line.cost.monthly_cents for line in lines if _is_staff(line))
    other = sum(line.cost.monthly_cents for line in lines) - staff
    yearly = {
        "income:pledges": members * PLANNED_CENTS,
        "income:gifts": 80_000,
        "income:grants": 2 * members * PLANNED_CENTS,
        "expenses:projects": 1_800_000,  # the story pays as much for any number of members
        "expenses:grants": 600_000,
        "expenses:staff": 12 * staff,
        "expenses:operations": 12 * other,
        "expenses:marketing": 12 * 2_000,
        "expenses:fees": members * PLANNED_CENTS // 10,
    }
    planned = [PlanLine(account, None, None, cents) for account, cents in yearly.items()]
    import_plan(context, year, planned, decided_on=context.today())
    publish_plan(context, year)


def take_gift(context: Context, *, number: int, random: Random) -> None:
    """Receive a one-time gift from a non-member."""
    context.gateway.take_gift(
        cents=random.choice(_GIFTS_CENTS),
        email=f"guest.{number}@example.org",
        name=in_own_words(context, "A guest"),
        payment_method="pm_card_visa",
        gift_id=f"demo-{number}",
        key=f"gift:demo-{number}",
    )


def newest_charge(context: Context, *, excluding: str) -> tuple[str, int]:
    """Return the newest pledge payment of which nothing was returned, with its cents.

    `excluding` is the key of a member to leave out.

    Raises:
        Unavailable: there is none.
    """
    with context.store.read() as work:
        found = [
            (payment.source_id, payment.cents)
            for payment in work.payments.all()
            if payment.kind == "pledge"
            and payment.source_id is not None
            and payment.member_key not in {None, excluding}
            and not payment.returned_cents
        ]
    if not found:
        raise Unavailable("Nobody has paid yet; the demonstration needs a longer time.")
    return found[-1]


def refund_newest(context: Context, *, excluding: str, whole: bool) -> None:
    """Refund the newest payment, in full or two fifths of it."""
    charge, cents = newest_charge(context, excluding=excluding)
    why = in_own_words(context, "charged by mistake")
    refund_payment(context, charge, cents=None if whole else cents * 2 // 5, why=why)


def _is_staff(line: FixedCostLine) -> bool:
    """Return whether a line of the budget is a salary."""
    return "coordinator" in line.id


def _spend(
    context: Context, account: str, fund: Fund, cents: int, *, why: str
) -> Approval | object:
    with context.store.read() as work:
        available = fund_balances(work)[fund]
    if available < cents:
        return None  # skipped until the fund can pay
    spending = Spending(account, fund, cents, note=why)
    entry = spending_entry(context.today(), spending, available_cents=available)
    papers = [sample_paper(context, PaperKind.RECEIPT, cents, why)] if fund is not UNPROVEN else []
    with with_documents(context, papers) as inside:
        return post_entry(inside, entry)
