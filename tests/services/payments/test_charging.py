"""Tests of fetching the provider's charges: one faulty pledge stops no other."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.errors import Refused, Unavailable
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.services.context import Context
from jara.services.giving.pledging import (
    cancel_pledge,
    find_pledge,
    refresh_pledge,
    replace_card,
)
from jara.services.operations.email_run import queue_due_emails
from jara.services.payments.charging import charge_due, refresh_pledges
from tests.harness import NOON, clock_of, make_organisation
from tests.services.giving.joiners import FAILS, join, sandbox_of


def test_a_clock_behind_the_providers_is_normal(tmp_path: Path) -> None:
    """If the provider's charges are ahead of our clock, a failed one is dated today."""
    context = make_organisation(tmp_path)
    joined = join(context)
    replace_card(context, joined.member.id, FAILS)

    report = charge_due(context, sandbox_of(context), until=NOON + timedelta(days=35))

    assert report.refreshed.failures == ()
    with context.store.read() as work:
        kinds = [email.kind for email in work.outbox.all()]
    pledge = find_pledge(context, joined.member.id)
    assert pledge.past_due_since is not None
    assert pledge.past_due_since > context.now()
    assert kinds.count("charge_failed") == 1


def test_one_pledge_that_fails_is_reported_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even a bug of ours stops no other pledge; an unreachable provider stops the run."""
    context = make_organisation(tmp_path)
    joined = [join(context, f"{name}@example.org") for name in ("ama", "kofi", "efua")]
    real, asked = refresh_pledge, []

    def refresh(context: Context, member_id: str) -> Pledge:
        asked.append(member_id)
        if member_id == joined[0].member.id:
            raise IndexError("list index out of range")
        if member_id == joined[1].member.id:
            raise Refused("Not this one.")
        return real(context, member_id)

    monkeypatch.setattr("jara.services.payments.charging.refresh_pledge", refresh)

    report = refresh_pledges(context)

    assert {one.member.id for one in joined} == set(asked)
    assert sorted(failure.partition(": ")[2] for failure in report.failures) == [
        "IndexError: list index out of range (a defect of Jara)",
        "Not this one.",
    ]


def test_a_provider_that_is_away_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The provider is asked once, since each pledge would fail after its own wait."""
    context = make_organisation(tmp_path)
    for name in ("ama", "kofi"):
        join(context, f"{name}@example.org")
    asked = []

    def away(_context: Context, member_id: str) -> Pledge:
        asked.append(member_id)
        raise Unavailable("Stripe could not be reached.")

    monkeypatch.setattr("jara.services.payments.charging.refresh_pledge", away)

    with pytest.raises(Unavailable):
        refresh_pledges(context)

    assert len(asked) == 1


def test_the_end_of_a_pledge_that_was_not_paid_is_reported_once(tmp_path: Path) -> None:
    """Each failed attempt gets one email, and so does the end, whoever ended the pledge."""
    context = make_organisation(tmp_path)
    joined = join(context)
    replace_card(context, joined.member.id, FAILS)

    for days in range(28, 70):
        clock_of(context).set(NOON + timedelta(days=days))
        charge_due(context, sandbox_of(context))
        queue_due_emails(context)

    with context.store.read() as work:
        kinds = [email.kind for email in work.outbox.all()]
    assert kinds.count("charge_failed") == 3
    assert kinds.count("pledge_ended") == 1
    assert PledgeState.CANCELED is find_pledge(context, joined.member.id).state


def test_a_pledge_that_ended_between_two_looks_is_reported(tmp_path: Path) -> None:
    """This holds even if it was never seen past due; a member who leaves gets no such email."""
    context = make_organisation(tmp_path)
    left, unpaid = (join(context, f"{name}@example.org").member for name in ("ama", "kofi"))
    for member in (left, unpaid):
        replace_card(context, member.id, FAILS)
    charge_due(context, sandbox_of(context), until=NOON + timedelta(days=32))
    cancel_pledge(context, left.id)

    charge_due(context, sandbox_of(context), until=NOON + timedelta(days=60))

    with context.store.read() as work:
        ended = [mail.member_id for mail in work.outbox.all() if mail.kind == "pledge_ended"]
    assert ended == [unpaid.id]
