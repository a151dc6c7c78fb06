"""Stores the organisation of this version, with one waiting act of each kind."""

import tarfile
import tempfile
from dataclasses import replace
from datetime import date
from pathlib import Path

from jara import __version__
from jara.domain.announcement import AnnouncementText, Audience, Group
from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import FundPolicy
from jara.domain.control.state import Limits
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.language import ENGLISH
from jara.domain.legal.versions import LegalText
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.books.policies import set_policy
from jara.services.context import Context, Rules
from jara.services.legal.changing import LegalImport, import_legal
from jara.services.members.accounts import InvitationForm, invite_member
from jara.services.news import announcing
from jara.services.operations.control import set_limits
from jara.services.operations.operators import add_operator, remove_operator
from jara.services.operations.years import close_year, open_year
from jara.services.payments.promising import promise
from jara.services.payments.receiving import receive
from jara.services.payments.refunding import refund_payment
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.ways_in import set_donate_link
from tests.fakes.operators import acting, enrol, public
from tests.harness import COUNTRIES, make_organisation
from tests.releases.waiting import HERE
from tests.services.books.entry_writing import an_entry
from tests.services.books.ledger_builders import give
from tests.services.giving.joiners import join, take_cash
from tests.services.operations.controlled_world import LIMIT_CENTS, ROLES

GIVER = {"firstname": "Esi", "lastname": "Boateng", "email": "esi@example.org", "country": "Ghana"}


def make(folder: Path) -> Context:
    """Make the organisation, with everything that waits."""
    rules = Rules(approval_cents=LIMIT_CENTS, countries=COUNTRIES)
    context = make_organisation(folder, database=folder / "jara.db", rules=rules)
    close_year(context, 2025)
    give(context, 100_000)
    member = join(context, notifications=True).member
    with context.store.write() as work:
        work.members.update(member._replace(email_confirmed=True))
    take_cash(replace(context, rules=rules._replace(approval_cents=None)))
    giver = invite_member(context, InvitationForm(**GIVER))
    enrol(context, **ROLES)
    ada, kit = acting(context, "ada"), acting(context, "kit")
    payment = Disbursement(Payee.GRANTS, "school", 500, day=date(2026, 11, 19))
    small = disburse(kit, payment)
    disburse(acting(context, "kit"), payment._replace(slug="clinic", cents=LIMIT_CENTS))
    post_entry(acting(context, "kit"), an_entry())
    reverse_entry(acting(context, "kit"), small.id, why="booked twice")
    add_operator(ada, "zoe", key=public("zoe"))
    remove_operator(acting(context, "ada"), "eve", why="moved on")
    set_limits(acting(context, "ada"), Limits(LIMIT_CENTS // 2), why="voted")
    weights = {Fund.PROJECTS: 60, Fund.STAFF: 20, Fund.MARKETING: 10, Fund.OTHER: 10}
    set_policy(acting(context, "kit"), FundPolicy(date(2027, 3, 1), weights, weights), why="voted")
    open_year(acting(context, "kit"), 2025, why="a late bill")
    set_donate_link(acting(context, "ada"), "https://give.example.org/donate", why="new page")
    import_legal(acting(context, "ada"), LegalImport(LegalText.TERMS, {ENGLISH: "# Ours\n"}))
    vars(announcing)["SIGNED_BY_TWO_ABOVE"] = 0
    texts = {ENGLISH: AnnouncementText("News", "The well is dug.")}
    announcing.announce(acting(context, "kit"), texts, Audience(frozenset({Group.MEMBERS})))
    with context.store.read() as work:
        charge = next(one for one in work.payments.of_member(member.key)).source_id
    assert charge is not None
    refund_payment(acting(context, "kit"), charge, why="asked")
    promise(acting(context, "kit"), giver.email, dollars="5", way=PaymentWay.CASH)
    receive(acting(context, "kit"), giver.email, 500)
    return context


def store() -> Path:
    """Store the organisation; return the archive."""
    archive = HERE / f"{__version__}.tar.xz"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        context = make(folder)
        context.store.truncate_log()
        context.store.close()
        with tarfile.open(archive, "w:xz") as packed:
            for name in ("jara.db", "secrets"):
                packed.add(folder / name, arcname=name)
    return archive


if __name__ == "__main__":
    print(store())  # noqa: T201 - a script
