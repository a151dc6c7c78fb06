"""Tests of emailed codes: password resets, the newsletter, unsubscribing."""

from base64 import urlsafe_b64decode
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from jara.domain.errors import InvalidInput, TooManyRequests
from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.services.members.accounts import erase_member, find_member
from jara.services.members.password_resets import check_reset_code, reset_password
from jara.services.members.profiles import request_email_change
from jara.services.members.sessions import BadCredentials, sign_in, sign_out_everywhere
from jara.services.notices.choices import unsubscribe
from jara.services.notices.links import unsubscribe_url
from jara.services.notices.newsletter import confirm_subscription, subscribe
from jara.services.rate_limits import Limit, acquire, release
from jara.store.sqlite.connection import SqliteSql
from tests.harness import clock_of
from tests.sent_emails import mailed_code
from tests.services.members.codes_world import (
    ADDRESS,
    LIMITS,
    NEW,
    PASSWORD,
    ask_for_reset,
    issuer,
    set_password,
)
from tests.services.stored_rows import rows_of

EMAIL = "ama@example.org"

pytestmark = pytest.mark.usefixtures("one_member")


def enter(context: Context, password: str) -> str:
    """Sign in."""
    signed_in = sign_in(context, issuer(), LIMITS, email=EMAIL, password=password, address=ADDRESS)
    return signed_in.token


def test_a_mailed_code_sets_a_new_password_once(context: Context) -> None:
    """Afterwards neither the old password nor the code works."""
    ask_for_reset(context, EMAIL)
    code = mailed_code(context, "password_reset")
    check_reset_code(context, code)
    reset_password(context, code=code, password=NEW, confirmation=NEW)

    assert enter(context, NEW)
    with pytest.raises(BadCredentials):
        enter(context, PASSWORD)
    with pytest.raises(UnusableCode, match="ask for a new one"):
        check_reset_code(context, code)
    with pytest.raises(UnusableCode, match="ask for a new one"):
        reset_password(context, code=code, password=NEW, confirmation=NEW)


def test_a_new_password_obeys_the_rules(context: Context) -> None:
    """A bad password does not use up the code."""
    ask_for_reset(context, EMAIL)
    code = mailed_code(context, "password_reset")
    with pytest.raises(InvalidInput):
        reset_password(context, code=code, password=NEW, confirmation="another")

    reset_password(context, code=code, password=NEW, confirmation=NEW)


def test_a_code_is_good_for_half_an_hour(context: Context) -> None:
    """A code expires after thirty minutes."""
    ask_for_reset(context, EMAIL)
    code = mailed_code(context, "password_reset")
    clock_of(context).advance(minutes=30)

    with pytest.raises(UnusableCode):
        reset_password(context, code=code, password=NEW, confirmation=NEW)


def test_a_reset_request_does_not_reveal_accounts(context: Context) -> None:
    """An unknown address gets the same answers as a known one, also to one request too many."""
    for email in ("nobody@example.org", EMAIL):
        for _ in range(2):
            ask_for_reset(context, email)
        with pytest.raises(TooManyRequests):
            ask_for_reset(context, email)
    with context.store.read() as work:
        assert len(work.outbox.all()) == 2


def test_a_reset_code_changes_nothing_after_the_member_left(context: Context) -> None:
    """While the new password is hashed the member may have been erased."""
    ask_for_reset(context, EMAIL)
    code = mailed_code(context, "password_reset")
    with context.store.write() as work:
        member = work.members.by_email(EMAIL)
        assert member is not None
        work.members.erase(member.id)

    reset_password(context, code=code, password=NEW, confirmation=NEW)


def test_the_newsletter_is_confirmed_by_mail(context: Context) -> None:
    """No consent is stored before the code is used."""
    subscribe(context, LIMITS, " N@example.org", network=ADDRESS)
    code = mailed_code(context, "newsletter_confirmation")
    with context.store.read() as work:
        before = work.access.reader("n@example.org")
    confirm_subscription(context, code)
    with context.store.read() as work:
        after = work.access.reader("n@example.org")

    assert before is not None
    assert after is not None
    assert (before.confirmed_at, after.confirmed_at) == (None, context.now())
    with pytest.raises(UnusableCode):
        confirm_subscription(context, code)


def test_a_confirmed_address_gets_no_second_question(context: Context) -> None:
    """An address gets at most two confirmation emails an hour, and none once confirmed."""
    subscribe(context, LIMITS, "n@example.org", network=ADDRESS)
    confirm_subscription(context, mailed_code(context, "newsletter_confirmation"))
    subscribe(context, LIMITS, "n@example.org", network=ADDRESS)

    with context.store.read() as work:
        assert len(work.outbox.all()) == 1
    with pytest.raises(TooManyRequests):
        subscribe(context, LIMITS, "n@example.org", network=ADDRESS)


def test_confirming_after_leaving_keeps_nothing(context: Context) -> None:
    """An old confirmation email does not subscribe a person who has unsubscribed."""
    subscribe(context, LIMITS, "n@example.org", network=ADDRESS)
    code = mailed_code(context, "newsletter_confirmation")
    unsubscribe(context, way_out(context, "n@example.org"))
    confirm_subscription(context, code)

    with context.store.read() as work:
        assert work.access.reader("n@example.org") is None


def way_out(context: Context, address: str) -> str:
    """Return the unsubscribe code of an address."""
    return parse_qs(urlsplit(unsubscribe_url(context, address)).query)["code"][0]


def test_one_click_ends_all_news(context: Context) -> None:
    """One click ends the newsletter and a member's notices; repeating it is harmless."""
    for _ in range(2):
        unsubscribe(context, way_out(context, EMAIL))
    unsubscribe(context, way_out(context, "nobody@example.org"))

    assert not find_member(context, EMAIL).notifications


def test_the_log_key_signs_no_links(context: Context) -> None:
    """Links carry a keyed hash made with another key; the log key signs only checkpoints."""
    _, _, proof = way_out(context, EMAIL).partition(".")

    assert len(urlsafe_b64decode(proof + "=")) == 32


@pytest.mark.parametrize(
    "code", ["", "abc", "YW1h.YW1h", "a.b", "é.é", "YW1h." + 43 * "A", "YW1h." + 86 * "A"]
)
def test_nobody_ends_the_news_of_another(context: Context, code: str) -> None:
    """A code that we did not make is refused."""
    with pytest.raises(UnusableCode, match="incomplete"):
        unsubscribe(context, code)


def test_erasing_a_member_leaves_no_address_at_the_door(context: Context) -> None:
    """Codes, newsletter rows and emails of the address go; the goodbye waits to be sent."""
    ask_for_reset(context, EMAIL)
    subscribe(context, LIMITS, EMAIL, network=ADDRESS)
    code = mailed_code(context, "password_reset")
    erase_member(context, find_member(context, EMAIL).id, why="asked")

    with pytest.raises(UnusableCode):
        reset_password(context, code=code, password=NEW, confirmation=NEW)
    with context.store.read() as work:
        assert work.access.reader(EMAIL) is None
        assert [email.kind for email in work.outbox.all()] == ["account_closed"]


def test_expired_rows_are_swept(context: Context) -> None:
    """Expired limits, codes and sessions are deleted."""
    ask_for_reset(context, EMAIL)
    release(context, acquire(context, LIMITS, (Limit.REGISTER_ADDRESS, "m")))
    enter(context, PASSWORD)
    clock_of(context).advance(days=181)

    with context.store.write() as work:
        assert work.access.forget_expired(context.now()) == 6  # an invitation too


@pytest.mark.parametrize(
    "change",
    [
        set_password,
        lambda context, member_id: request_email_change(
            context, LIMITS, member_id, "new@example.org", network=ADDRESS
        ),
        sign_out_everywhere,
    ],
    ids=["password", "address", "sessions"],
)
def test_an_old_code_takes_no_account_over(
    context: Context, change: Callable[[Context, str], object]
) -> None:
    """After the owner has secured the account, an old code in the mailbox is useless."""
    ask_for_reset(context, EMAIL)
    code = mailed_code(context, "password_reset")
    change(context, find_member(context, EMAIL).id)

    with pytest.raises(UnusableCode):
        reset_password(context, code=code, password=NEW, confirmation=NEW)


def test_an_unknown_address_takes_the_same_work(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both requests run the same statements in the same order, so that timing reveals nothing."""
    ran: list[str] = []
    run, append = SqliteSql.run, SqliteSql.append

    def watched_run(self: SqliteSql, statement: str, *args: Any) -> int:
        ran.append(statement)
        return run(self, statement, *args)

    def watched_append(self: SqliteSql, statement: str, *args: Any) -> None:
        ran.append(statement)
        append(self, statement, *args)

    monkeypatch.setattr(SqliteSql, "run", watched_run)
    monkeypatch.setattr(SqliteSql, "append", watched_append)
    ask_for_reset(context, EMAIL)
    known = list(ran)
    ran.clear()
    ask_for_reset(context, "nobody@example.org")

    assert known == ran
    assert [row[3] for row in rows_of(context, "outbox")] == [EMAIL]
