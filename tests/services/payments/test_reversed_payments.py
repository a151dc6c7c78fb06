"""A reversed payment gives no vote, whatever the provider reports later."""

from pathlib import Path

from jara.services.books.bookkeeping import reverse_entry
from jara.services.members.documents import list_payments
from jara.services.payments.importing import collect_movements
from tests.harness import make_organisation
from tests.services.giving.joiners import join, sandbox_of


def test_a_dispute_won_brings_no_reversed_payment_back(place: Path) -> None:
    """A reversed payment is not listed, and is no contribution even if its dispute is won."""
    context = make_organisation(place)
    member = join(context).member
    with context.store.read() as work:
        (payment,) = work.payments.of_member(member.key)
        entry = work.journal.get(payment.index)
        assert work.electors.member_ids(context.now()) == {member.id}
    reverse_entry(context, entry.id, why="A test charge.")
    assert list_payments(context, member.id) == []
    dispute = sandbox_of(context).dispute(str(payment.source_id))
    collect_movements(context)
    sandbox_of(context).settle_dispute(dispute, won=True)
    collect_movements(context)

    with context.store.read() as work:
        (payment,) = work.payments.of_member(member.key)
        assert (payment.dispute, payment.returned_cents) == ("reversed", 0)
        assert work.electors.member_ids(context.now()) == frozenset()
