"""Handing over: what hangs on an operator who leaves, and how each goes on."""

import re
from pathlib import Path

import pytest

from jara.domain.control.ssh import BadSignature
from jara.domain.errors import NotFound
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.organisation import IdentityPart
from jara.services.approvals import refuse
from jara.services.context import Context, Rules
from jara.services.legal.changing import change_values
from jara.services.operations.handing_over import (
    HandoverState,
    Installation,
    list_handover,
    list_hanging,
)
from jara.services.operations.operators import add_operator, remove_operator, set_address
from jara.services.payments.receiving import receive
from jara.services.payments.vouching import vouch
from jara.services.payments.ways import set_way
from tests.fakes.operators import TestSigner, acting, approve_as, enrol, enrol_phone
from tests.fakes.passkeys import Phone
from tests.harness import make_organisation
from tests.pages.architecture import ROOT
from tests.services.ballots.test_ghost_members import ghost, with_ways
from tests.services.ballots.voting_world import may_vote
from tests.services.books.ledger_builders import give
from tests.services.operations.controlled_world import LIMIT_CENTS, make_controlled, waiting_grant

HERE = Installation("jara.toml", ["JARA_SMTP_URL"], 0, ["Keys, 3 files"], "jara.db", "https://a.b")
TITLE = re.compile(r"^\d+\. \*\*(.+?)\.\*\*", re.MULTILINE)


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """An organisation with keys and a limit of $10."""
    return make_controlled(tmp_path)


def kinds(context: Context, name: str) -> list[str]:
    """Return the kinds of what hangs on an operator."""
    return [one.kind for one in list_hanging(context, name)]


def test_what_one_person_asked_for_hangs_on_them(context: Context) -> None:
    """And so does what they signed; an act of others does not."""
    asked = waiting_grant(context, "kit")

    (hanging,) = list_hanging(context, "kit")

    assert asked.id in hanging.what
    assert f"jara approvals approve {asked.id}" in hanging.how
    assert kinds(context, "eve") == []


def test_without_keys_another_operator_approves_what_waits(tmp_path: Path) -> None:
    """Nothing is signed, so it goes on as before after they leave."""
    context = make_organisation(tmp_path, rules=Rules(approval_cents=LIMIT_CENTS))
    give(context, 100_000)
    for name in ("tester", "kit"):
        add_operator(context, name)
    asked = waiting_grant(context, "kit")

    assert [one.how for one in list_hanging(context, "kit") if one.kind == "act"] == [
        f"Another operator approves it: jara approvals approve {asked.id}"
    ]


def test_of_two_keys_only_what_one_signed_hangs_on_it(context: Context) -> None:
    """With the other key the person goes on; the signature of a removed key counts no more."""
    key = TestSigner("ada").key.fingerprint
    enrol_phone(context, Phone("ada's"), "ada", "ben", name="ada")
    assert list_hanging(context, "ada", key=key) == []
    asked = waiting_grant(context, "ada")

    (hanging,) = list_hanging(context, "ada", key=key)

    assert asked.id in hanging.what
    assert list_hanging(context, "ada", key=Phone("ada's").key.fingerprint) == []


def test_the_last_admin_and_the_last_approver_are_named(context: Context) -> None:
    """Without them nobody changes keys, and what needs two waits for ever."""
    assert kinds(context, "ada") == ["admin"]
    done = remove_operator(acting(context, "ada"), "kit")
    approve_as(context, done, "ben")

    assert kinds(context, "ben") == ["signatures"]
    assert kinds(context, "ada") == ["admin", "signatures"]


def test_only_an_admin_goes_on(context: Context) -> None:
    """Not an approver, a bookkeeper or the key of the daily run."""
    first = list_handover(context, "kit", HERE)[0]

    assert (first.state, first.what) == (HandoverState.DONE, "ada can go on.")


def test_mailboxes_of_the_person_are_named(context: Context) -> None:
    """The contact, and a way to pay that says their address; another's is only to check."""
    set_address(acting(context, "ada"), "kit", email="kit@example.org")
    done = set_way(
        acting(context, "ada"),
        PaymentWay.TRANSFER,
        ledger="assets:bank",
        details="Interac to Kit@example.org",
    )
    approve_as(context, done, "ben")
    asked = change_values(acting(context, "ada"), {IdentityPart.CONTACT: "hello@example.org"})
    approve_as(context, asked, "ben")

    hanging = list_hanging(context, "kit")
    steps = [one for one in list_handover(context, "kit", HERE) if one.title == "Mailboxes"]

    assert [one.kind for one in hanging] == ["notices", "mailbox"]
    assert "Interac to Kit@example.org" in hanging[1].what
    assert [one.state for one in steps] == [HandoverState.CHECK, HandoverState.TO_DO]


def test_a_vote_that_hung_on_the_person_is_given_as_the_sentence_says(tmp_path: Path) -> None:
    """Nobody can sign their act after they left; refused, and asked for again, it is signed."""
    context = with_ways(tmp_path)
    enrol(context, ada="admin", ben="approver", kit="bookkeeper")
    member = ghost(context)
    booked = receive(acting(context, "kit"), member.email, 1000)
    assert booked.waiting is not None
    waiting = booked.waiting.id
    (hanging,) = list_hanging(context, "kit")
    approve_as(context, remove_operator(acting(context, "ada"), "kit"), "ben")

    with pytest.raises(BadSignature):
        approve_as(context, booked.waiting, "ben")
    assert f"jara approvals refuse {waiting} --why" in hanging.how
    refuse(acting(context, "ada"), waiting, why="kit left")
    assert f"jara payments vouch {booked.posted.id} --why" in hanging.how
    approve_as(context, vouch(acting(context, "ada"), booked.posted.id, why="cash book"), "ben")

    assert may_vote(context, member)


def test_the_list_is_that_of_the_document(context: Context) -> None:
    """Every step of docs/handover.md is printed, in its order."""
    document = (ROOT / "docs" / "handover.md").read_text("utf-8").partition("## To another")[0]
    waiting_grant(context, "kit")

    titles = [one.title for one in list_handover(context, "kit", HERE)]

    assert list(dict.fromkeys(titles)) == TITLE.findall(document)


def test_nobody_unknown_hands_over(context: Context) -> None:
    """A wrong name is refused with those that are listed."""
    with pytest.raises(NotFound, match="listed are ada, ann"):
        list_handover(context, "ade", HERE)
