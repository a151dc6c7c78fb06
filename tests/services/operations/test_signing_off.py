"""An auditor signs off by their own key, and the verifier knows who signed."""

from hashlib import sha256
from pathlib import Path

import pytest

from jara.domain.checks.log import read_leaf
from jara.domain.errors import Conflict, InvalidInput, Refused
from jara.domain.publiclog.leaves import LeafType
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.signing_off import Opinion, close_audit, list_signed, note_entry
from jara.services.operations.years import close_year
from tests.fakes.operators import acting
from tests.harness import clock_of, copy_of
from tests.services.operations.controlled_world import grant, make_controlled, verify


@pytest.fixture
def context(place: Path) -> Context:
    """Six keys with different roles; ann is the auditor."""
    return copy_of(make_controlled, place)


def test_an_auditor_notes_an_entry_and_gives_an_opinion(context: Context, tmp_path: Path) -> None:
    """Both are leaves signed by the auditor; the leaf of a note has a hash of the text alone."""
    entry = grant(context, "kit", 300)
    ann = acting(context, "ann")
    noted = note_entry(ann, entry.id, "No second quote was asked for.")
    clock_of(context).set(clock_of(context).now().replace(year=2027))
    close_year(acting(context, "ada"), 2026)

    closed = close_audit(ann, 2026, Opinion.QUALIFIED, "But for the quotes.")

    with context.store.read() as work:
        assert list_signed(work) == [noted, closed]
        note, opinion = [read_leaf(one.body) for one in work.log.leaves_of(LeafType.AUDIT)]
        (row,) = work.operations.audit(action="audit.note")
    salted = bytes.fromhex(row.after["salt"]) + noted.text.encode()
    assert (note["what"], note["hash"]) == ("note", sha256(salted).hexdigest())
    assert (opinion["year"], opinion["opinion"]) == (2026, "qualified")
    assert "quote" not in str(note)
    assert verify_books(context).ok
    status, printed = verify(context, tmp_path)
    assert status == 0, printed


def test_only_an_auditors_key_signs_off(context: Context) -> None:
    """An admin cannot write the opinion on their own books; an open year has none."""
    entry = grant(context, "kit", 300)

    for name in ("ada", "kit", "ben"):
        with pytest.raises(Refused):
            note_entry(acting(context, name), entry.id, "Fine.")
    with pytest.raises(InvalidInput):
        note_entry(acting(context, "ann"), entry.id, " ")
    with pytest.raises(Conflict, match="not closed"):
        close_audit(acting(context, "ann"), 2026, Opinion.UNQUALIFIED)
