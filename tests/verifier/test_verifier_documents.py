"""A document belongs to an entry before it, whether the reader may see that entry or not."""

import pytest

from jara.domain.papers import Paper, PaperKind, document_leaf
from tests.verifier.controlled_log import moved
from tests.verifier.log_builder import Check, LogBuilder

INVOICE = Paper("ab" * 32, PaperKind.INVOICE)


@pytest.mark.parametrize("withhold", [False, True])
@pytest.mark.parametrize(
    ("ahead", "is_good"), [(0, True), (1, False), (2, False), (-1, False), (99, False)]
)
def test_a_document_of_no_entry_is_named(
    check: Check, ahead: int, is_good: bool, withhold: bool
) -> None:
    """Its leaf names the entry, not another leaf, itself, or one that is still to come."""
    log = LogBuilder()
    entry = log.post(moved("expenses:operations", 500))
    log.open_vote("p")
    log.append(document_leaf(entry + ahead, INVOICE, bytes(16), public=False))
    log.checkpoint()

    status, out = check(log.files(withhold=withhold))

    assert (status, "ok      documents: 1 of 1 entries" in out) == (not is_good, is_good), out
    assert ("whose document it is, is no entry before it" in out) is not is_good
