"""Passkeys: one tap signs the member in; forged, foreign or replayed answers do not."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import Conflict, InvalidInput, JaraError, NotFound, TooManyRequests
from jara.domain.giving.member import Member
from jara.records.access import PasskeyAnswer
from jara.security.passkeys import WebAuthnVerifier
from jara.services.context import Context
from jara.services.mailed_codes import INVITATION
from jara.services.members import passkeys
from jara.services.members.accounts import erase_member
from jara.services.members.passkeys import add_passkey, begin_sign_in
from jara.services.members.sessions import BadCredentials, SignedIn, member_for_token
from tests.harness import clock_of
from tests.services.members import software_authenticator
from tests.services.members.codes_world import ADDRESS, LIMITS, a_member, issuer
from tests.services.members.software_authenticator import Authenticator
from tests.services.stored_rows import rows_of

SITE = WebAuthnVerifier(software_authenticator.ORIGIN, organisation="Jara")
TOKENS = issuer()


@pytest.fixture
def member(context: Context) -> Member:
    """A member."""
    return a_member(context)


def add(context: Context, member: Member, phone: Authenticator, name: str = "Phone") -> None:
    """Add a passkey."""
    answer = phone.create(passkeys.begin_adding(context, SITE, member))
    add_passkey(context, SITE, member, name, answer)


def enter(context: Context, answer: PasskeyAnswer) -> SignedIn:
    """Sign in with an answer."""
    return passkeys.sign_in_with_passkey(
        context, TOKENS, LIMITS, SITE, answer, address=ADDRESS, label="Phone"
    )


def test_a_passkey_signs_in_again_and_again(context: Context, member: Member) -> None:
    """No password is needed, and each sign-in has a new challenge."""
    phone = Authenticator()
    add(context, member, phone)
    for _ in range(4):
        signed_in = enter(context, phone.sign_in(begin_sign_in(context, SITE)))
        session = member_for_token(context, TOKENS, signed_in.token)

        assert member.id == session.member.id


def test_no_row_tells_when_a_passkey_was_used(context: Context, member: Member) -> None:
    """No counter or time of use is stored; a used challenge has only its hour."""
    phone = Authenticator()
    add(context, member, phone)
    before = rows_of(context, "passkeys")
    clock_of(context).advance(minutes=17, seconds=3)
    enter(context, phone.sign_in(begin_sign_in(context, SITE)))

    assert rows_of(context, "passkeys") == before
    used = [row for row in rows_of(context, "mailed_codes") if row[1] != INVITATION]
    assert {row[3][14:] for row in used} == {"00:00Z"}
    assert member.id not in str(used)


def test_passkeys_are_listed_and_removed(context: Context, member: Member) -> None:
    """A removed passkey does not sign in; another member's passkeys are not affected."""
    phone, other = Authenticator(), a_member(context, "kofi@example.org")
    add(context, member, phone, "My phone")
    (known,) = passkeys.list_passkeys(context, member.id)
    with pytest.raises(NotFound):
        passkeys.remove_passkey(context, other.id, known.id)
    passkeys.remove_passkey(context, member.id, known.id)

    assert (known.name, known.added_on) == ("My phone", context.today())
    with pytest.raises(BadCredentials):
        enter(context, phone.sign_in(begin_sign_in(context, SITE)))


def test_a_challenge_serves_once(context: Context, member: Member) -> None:
    """A replayed answer signs nobody in."""
    phone = Authenticator()
    answer = phone.create(passkeys.begin_adding(context, SITE, member))
    add_passkey(context, SITE, member, "Phone", answer)
    with pytest.raises(InvalidInput, match="used already"):
        add_passkey(context, SITE, member, "Phone", answer)
    tap = phone.sign_in(begin_sign_in(context, SITE))
    enter(context, tap)

    with pytest.raises(InvalidInput, match="used already"):
        enter(context, tap)


def test_a_challenge_lives_for_five_minutes(context: Context, member: Member) -> None:
    """A challenge is valid only for its purpose and its member."""
    phone, other = Authenticator(), a_member(context, "kofi@example.org")
    adding = passkeys.begin_adding(context, SITE, member)
    with pytest.raises(InvalidInput, match="too long"):
        add_passkey(context, SITE, other, "Phone", phone.create(adding))
    add_passkey(context, SITE, member, "Phone", phone.create(adding))
    late = phone.sign_in(begin_sign_in(context, SITE))
    wrong = phone.sign_in(passkeys.begin_adding(context, SITE, member))
    invented = phone.sign_in({"challenge": software_authenticator.encoded(b"x" * 56)})
    clock_of(context).advance(minutes=5)

    for answer in (late, wrong, invented):
        with pytest.raises(InvalidInput, match="too long"):
            enter(context, answer)


FORGERIES: dict[str, Callable[[Authenticator], Authenticator]] = {
    "wrong origin": lambda phone: replace(phone, origin="https://jara.example.evil.example"),
    "other scheme": lambda phone: replace(phone, origin="http://jara.example"),
    "wrong rp id": lambda phone: replace(phone, host="evil.example"),
    "another key": lambda phone: Authenticator(name=phone.name),
    "nobody verified": lambda phone: replace(phone, flags=software_authenticator.PRESENT),
    "nobody present": lambda phone: replace(phone, flags=0),
    "in a foreign frame": lambda phone: replace(phone, more={"crossOrigin": True}),
    "in a frame, as text": lambda phone: replace(phone, more={"crossOrigin": "true"}),
    "in a frame, as a number": lambda phone: replace(phone, more={"crossOrigin": 1}),
    "in a frame of nobody": lambda phone: replace(phone, more={"crossOrigin": None}),
    "under another site": lambda phone: replace(
        phone, more={"crossOrigin": False, "topOrigin": "https://evil.example"}
    ),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_forged_answers_sign_nobody_in(
    context: Context, member: Member, forge: Callable[[Authenticator], Authenticator]
) -> None:
    """Answers for a wrong site, with a wrong key, or without a present user are refused."""
    phone = Authenticator()
    add(context, member, phone)

    with pytest.raises(InvalidInput, match="could not be checked"):
        enter(context, forge(phone).sign_in(begin_sign_in(context, SITE)))


def test_a_browser_may_leave_out_the_frame(context: Context, member: Member) -> None:
    """Older browsers do not say whether the page was in a frame."""
    phone = Authenticator(more={})
    add(context, member, phone)

    assert enter(context, phone.sign_in(begin_sign_in(context, SITE)))


@pytest.mark.parametrize("name", sorted(FORGERIES.keys() - {"another key"}))
def test_forged_passkeys_are_not_added(context: Context, member: Member, name: str) -> None:
    """The same forgeries are refused when a passkey is added."""
    with pytest.raises(InvalidInput, match="could not be checked"):
        add(context, member, FORGERIES[name](Authenticator()))


@given(data=st.data())
def test_broken_answers_are_refusals(data: st.DataObject) -> None:
    """Truncated, changed or nonsense answers are refused without a crash."""
    phone = Authenticator()
    options = {"challenge": software_authenticator.encoded(b"c" * 56)}
    good = data.draw(st.sampled_from([phone.create(options), phone.sign_in(options)]))
    part = data.draw(st.sampled_from(["client_data", "attestation", "authenticator_data"]))
    raw = software_authenticator.decoded(getattr(good, part))
    cut = data.draw(st.integers(0, max(0, len(raw) - 1)))
    tail = data.draw(st.binary(max_size=40))
    broken = good._replace(**{part: software_authenticator.encoded(raw[:cut] + tail)})
    checks: list[Callable[[], object]] = [
        lambda: SITE.challenge_of(broken),
        lambda: SITE.check_creation(broken._replace(attestation=broken.attestation[:-8]), b"c"),
        lambda: SITE.check_request(broken._replace(signature="AA"), b"c" * 56, b"\xa0"),
    ]

    for check in checks:
        try:
            check()
        except JaraError:
            continue


def test_failures_use_up_the_network_s_limit(context: Context, member: Member) -> None:
    """Failures use up the limit, as wrong passwords do."""
    for _ in range(5):
        with pytest.raises(BadCredentials):
            enter(context, Authenticator().sign_in(begin_sign_in(context, SITE)))

    add(context, member, phone := Authenticator())
    with pytest.raises(TooManyRequests):
        enter(context, phone.sign_in(begin_sign_in(context, SITE)))


def test_there_are_few_passkeys_and_each_once(context: Context, member: Member) -> None:
    """A member has at most ten; a name that emails would turn into a link is refused."""
    phone = Authenticator()
    with pytest.raises(InvalidInput, match="web address"):
        add(context, member, phone, "https://evil.example")
    add(context, member, phone)
    with pytest.raises(Conflict, match="stored already"):
        add(context, member, phone)
    for number in range(passkeys.PASSKEYS_MAX - 1):
        add(context, member, Authenticator(name=f"credential {number}".encode()))

    with pytest.raises(Conflict, match="remove one first"):
        add(context, member, Authenticator(name=b"one too many"))
    erase_member(context, member.id, why="asked")
    assert rows_of(context, "passkeys") == []
