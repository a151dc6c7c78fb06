"""Invitations of phones: a link that works once, six words by telephone, and two signatures."""

import shutil
import subprocess
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from webauthn.helpers import encode_cbor

from jara.bootstrap import APPROVAL_LISTENERS
from jara.domain.control.ssh import PASSKEY, PublicKey, parse_public_key
from jara.domain.errors import Conflict, InvalidInput, NotFound, Refused
from jara.domain.language import Language
from jara.languages import writer_of
from jara.records.operations import Approval, Email, Operator
from jara.security.passkeys import InvalidPasskey, WebAuthnVerifier
from jara.security.six_words import all_words, are_words, words_of
from jara.services.approvals import approve, refuse
from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.services.notices.links import complete_links
from jara.services.operations.approved_acts import HANDLERS, list_signatures, show_approval
from jara.services.operations.effect_sentences import SENTENCES, Effect, effect_of
from jara.services.operations.invitations import (
    InvitationState,
    MadePasskey,
    accept_invitation,
    confirm_invitation,
    invite_phone,
    list_invitations,
    read_invitation,
    revoke_invitation,
    words_of_key,
)
from jara.services.operations.operators import add_operator, list_operators, set_address
from jara.services.rate_limits import Allowance, Limit, Limits
from jara_cli.commands.approvals import _script
from tests.fakes.clock import FakeClock
from tests.fakes.operators import acting, approve_as, enrol_phone
from tests.fakes.passkeys import Phone
from tests.fakes.passkeys import point_of as point
from tests.harness import make_organisation
from tests.services.members.software_authenticator import Authenticator, encoded
from tests.services.operations.controlled_world import make_controlled, waiting_grant

SITE = "https://jara.example"
NETWORK = "192.0.2.7"
FRENCH = Language("fr")
NO_LIMITS: Limits = {Limit.SIGN_IN_ADDRESS: Allowance(1000, 60)}


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Return an organisation with keys, a site with a name, and emails about approvals."""
    made = make_controlled(tmp_path)
    rules = made.rules._replace(site_url=SITE)
    return replace(made, rules=rules, on_approval=APPROVAL_LISTENERS)


def emails(context: Context, kind: str) -> list[Email]:
    """Return the queued emails of a kind."""
    return [one for one in context.store.read_once().outbox.all() if one.kind == kind]


def invited(context: Context, name: str = "ama", role: str = "approver") -> str:
    """Invite a phone; return the code in the emailed link."""
    before = emails(context, "operator_phone")
    invite_phone(acting(context, "ada"), name, role=role, email=f"{name}@example.org")
    (email,) = (one for one in emails(context, "operator_phone") if one not in before)
    link = complete_links(context, email).doc["link"]
    return str(link).partition("#invitation=")[2]


def accepted(context: Context, code: str, phone: Authenticator | None = None) -> MadePasskey:
    """Make a passkey on a phone, and send it."""
    page = read_invitation(context, NO_LIMITS, code, address=NETWORK)
    answer = (phone or Authenticator()).create(
        {"challenge": encoded(bytes.fromhex(page.challenge))}
    )
    verifier = WebAuthnVerifier(SITE, organisation="Jara")
    return accept_invitation(context, verifier, NO_LIMITS, code, answer, address=NETWORK)


class OtherKind(Authenticator):
    """Makes an Ed25519 key, which websites accept, and SSH has no kind of passkey for."""

    def _public_key(self) -> bytes:
        return encode_cbor({1: 1, 3: -8, -1: 6, -2: bytes(32)})


def key_of(phone: Authenticator) -> PublicKey:
    """Return a phone's passkey as an SSH key."""
    return PublicKey(PASSKEY, point(phone.key), b"jara.example")


def test_a_phone_is_invited_confirmed_and_enrolled(context: Context) -> None:
    """The words are those of the key, the second operator signs, and the address is kept."""
    phone = Authenticator()
    made = accepted(context, invited(context), phone)

    assert made.words == words_of_key(key_of(phone))
    assert [one.state for one in list_invitations(context)] == [InvitationState.MADE]
    waiting = confirm_invitation(acting(context, "ada"), "ama", words=made.words.upper())
    assert list_invitations(context) == []
    approve_as(context, waiting, "ben")
    (ama,) = (one for one in list_operators(context) if one.operator.name == "ama")
    assert ama.operator.email == "ama@example.org"
    assert [(key.fingerprint, key.roles) for key in ama.keys] == [
        (key_of(phone).fingerprint, ("approver",))
    ]


def test_other_words_enrol_nobody(context: Context) -> None:
    """A stranger who used the link first has other words."""
    accepted(context, invited(context))

    with pytest.raises(InvalidInput, match="not the words of the phone"):
        confirm_invitation(acting(context, "ada"), "ama", words="zoo " * 6)
    assert [one.state for one in list_invitations(context)] == [InvitationState.MADE]


def test_an_invitation_is_used_once_and_within_a_day(context: Context) -> None:
    """A second phone, and one that comes later, find nothing."""
    code = invited(context)
    late = replace(context, clock=FakeClock(context.now() + timedelta(hours=24)))
    with pytest.raises(UnusableCode):
        read_invitation(late, NO_LIMITS, code, address=NETWORK)
    accepted(context, code)

    with pytest.raises(UnusableCode):
        accepted(context, code)
    with pytest.raises(UnusableCode):
        read_invitation(context, NO_LIMITS, "x" * 32, address=NETWORK)


def test_a_new_invitation_ends_the_earlier_one(context: Context) -> None:
    """So a lost link is replaced; invitations of others stay."""
    first = invited(context)
    other, second = invited(context, "ida"), invited(context)

    with pytest.raises(UnusableCode):
        read_invitation(context, NO_LIMITS, first, address=NETWORK)
    for code, name in ((second, "ama"), (other, "ida")):
        assert read_invitation(context, NO_LIMITS, code, address=NETWORK).name == name
    assert len(list_invitations(context)) == 2


def test_an_invitation_is_revoked_before_and_after_its_use(context: Context) -> None:
    """Neither the link nor the words count then."""
    code = invited(context)
    revoke_invitation(acting(context, "ada"), "ama")
    with pytest.raises(UnusableCode):
        read_invitation(context, NO_LIMITS, code, address=NETWORK)
    made = accepted(context, invited(context))
    revoke_invitation(acting(context, "ada"), "ama")

    with pytest.raises(NotFound):
        confirm_invitation(acting(context, "ada"), "ama", words=made.words)
    with pytest.raises(NotFound):
        revoke_invitation(acting(context, "ada"), "ama")


def test_each_step_is_in_the_audit_log(context: Context) -> None:
    """Who invited, revoked and confirmed, without the address or the code."""
    invited(context)
    revoke_invitation(acting(context, "ada"), "ama")
    made = accepted(context, invited(context))
    waiting = confirm_invitation(acting(context, "ada"), "ama", words=made.words, why="trustee")
    approve_as(context, waiting, "ben")

    rows = [row for row in context.store.read_once().operations.audit() if row.subject == "ama"]
    assert [(row.action, row.operator) for row in rows] == [
        ("operators.invite", "ada"),
        ("operators.revoke", "ada"),
        ("operators.invite", "ada"),
        ("operators.add", "ben"),
    ]
    assert "ama@example.org" not in str(rows)


@pytest.mark.parametrize("name", ["ben", "kit", "eve"])
def test_only_an_admin_invites_confirms_and_revokes(context: Context, name: str) -> None:
    """Every other role is refused."""
    made = accepted(context, invited(context))

    with pytest.raises(Refused):
        invite_phone(acting(context, name), "ida", role="approver", email="ida@example.org")
    with pytest.raises(Refused):
        revoke_invitation(acting(context, name), "ama")
    with pytest.raises(Refused):
        confirm_invitation(acting(context, name), "ama", words=made.words)
    done = confirm_invitation(acting(context, "ada"), "ama", words=made.words)
    assert isinstance(done, Approval)


@pytest.mark.parametrize("role", ["admin", "bookkeeper", "scheduler", "king"])
def test_a_phone_is_invited_to_roles_that_ask_nothing(context: Context, role: str) -> None:
    """The error names the role."""
    with pytest.raises(InvalidInput, match=role):
        invited(context, role=role)


@pytest.mark.parametrize(
    "site",
    ["http://127.0.0.1:8000", "https://jara.example:8443", "http://jara.example", "https://"],
)
def test_a_site_without_a_name_invites_no_phone(context: Context, site: str) -> None:
    """Browsers make no passkeys there, or the log could not tell their origin."""
    there = replace(context, rules=context.rules._replace(site_url=site))

    with pytest.raises(InvalidInput, match="JARA_SITE_URL"):
        invited(there)


def test_a_passkey_made_elsewhere_is_refused(context: Context) -> None:
    """Another origin, another challenge, or a key of another kind; the link goes on working."""
    code = invited(context)
    for phone in (
        Authenticator(origin="https://www.jara.example"),
        Authenticator(host="other.example"),
        Authenticator(flags=1),
        Authenticator(more={"crossOrigin": True}),
        OtherKind(),
    ):
        with pytest.raises(InvalidPasskey):
            accepted(context, code, phone)
    assert accepted(context, code).words


def test_an_enrolled_phone_is_not_taken_twice(context: Context) -> None:
    """One passkey is one key of one person."""
    phone = Authenticator()
    made = accepted(context, invited(context), phone)
    approve_as(context, confirm_invitation(acting(context, "ada"), "ama", words=made.words), "ben")

    with pytest.raises(Conflict, match="an operator's already"):
        accepted(context, invited(context, "ida"), phone)


def test_an_organisation_without_keys_invites_no_phone(tmp_path: Path) -> None:
    """The first key is an SSH key."""
    bare = make_organisation(tmp_path)
    with pytest.raises(Conflict, match="begin with your own"):
        invite_phone(
            replace(bare, rules=bare.rules._replace(site_url=SITE)),
            "ama",
            role="approver",
            email="ama@example.org",
        )


# ---------------------------------------------------------------- words


def test_six_words_stand_for_66_bits() -> None:
    """The list is BIP-39's; the words of a digest are those that its mnemonic begins with."""
    text = "\n".join([*all_words(), ""])

    assert sha256(text.encode()).hexdigest() == (
        "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
    )
    assert words_of(bytes.fromhex("7f" * 16)) == "legal winner thank year wave sausage"
    assert are_words(" Legal WINNER, thank\nyear wave sausage", bytes.fromhex("7f" * 32))
    assert not are_words("legal winner thank year wave", bytes.fromhex("7f" * 32))


# ---------------------------------------------------------------- emails


def test_approvers_hear_of_an_act_at_once_and_the_asker_of_its_end(context: Context) -> None:
    """The emails have the same words as the act, and no code."""
    for name in ("ada", "ben", "kit", "eve"):
        set_address(acting(context, "ada"), name, email=f"{name}@example.org")
    waiting = waiting_grant(context)

    told = emails(context, "approval_waits")
    assert sorted(one.address for one in told) == ["ada@example.org", "ben@example.org"]
    shown = show_approval(context, waiting.id)
    assert {one.doc["words"] for one in told} == {shown["words"]}
    assert all(one.sealed is None and one.doc["desk"] == f"{SITE}/desk" for one in told)
    approve(acting(context, "ben"), waiting.id, handlers=HANDLERS)
    (decided,) = emails(context, "approval_decided")
    assert (decided.address, decided.doc["state"], decided.doc["decider"]) == (
        "kit@example.org",
        "approved",
        "ben",
    )
    refuse(acting(context, "ben"), waiting_grant(context).id, why="no")
    states = sorted(str(one.doc["state"]) for one in emails(context, "approval_decided"))
    assert states == ["approved", "refused"]


def test_who_refuses_their_own_act_gets_no_email(context: Context) -> None:
    """They know it."""
    set_address(acting(context, "ada"), "ada", email="ada@example.org")
    refuse(acting(context, "ada"), waiting_grant(context, "ada").id, why="a mistake")

    assert emails(context, "approval_decided") == []


def test_every_act_that_may_wait_has_a_sentence(context: Context) -> None:
    """Content of the site has one for all kinds; all others their own."""
    own = {name for name in HANDLERS if not name.endswith((".add", ".edit")) or "oper" in name}

    assert own <= set(SENTENCES)
    assert effect_of(waiting_grant(context)).text() == "$10.00 leave the account for school."
    french = writer_of(FRENCH, "reports")
    for each in (
        *SENTENCES.values(),
        effect_of(waiting_grant(context)._replace(action="x")).template,
    ):
        text = Effect(each, 100, "a", "b").text()
        assert french(text) != text, each


# ---------------------------------------------------------------- signatures for other programs


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs OpenSSH")
def test_ssh_keygen_accepts_every_signature_of_an_act(context: Context) -> None:
    """The exported statement, key and signature of an SSH key and of a phone."""
    ama = Phone("ama")
    enrol_phone(context, ama, "ada", "ben")
    waiting = waiting_grant(context)
    approve(acting(context, "ama", phone=ama), waiting.id, handlers=HANDLERS)

    made = list_signatures(context, waiting.id)
    assert [one.operator for one in made] == ["kit", "ama"]
    assert parse_public_key(made[1].key) == ama.key

    shell = subprocess.run(["sh"], input=_script(made), capture_output=True, check=False, text=True)
    assert shell.returncode == 0, shell.stderr
    assert shell.stdout.count('Good "jara-act" signature') == 2
    forged = made[1]._replace(statement=made[1].statement.replace("projects.pay", "projects.say"))
    shell = subprocess.run(
        ["sh"], input=_script([forged]), capture_output=True, check=False, text=True
    )
    assert shell.returncode != 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *(
            (name, "the operator 'ada'")
            for name in ("Ada", "ÀDA", "\uff41da", "\u0430\u0501\u0430")
        ),
        ("\u0430d\u0430", "letters of two scripts"),
        ("Pay DE89370400440532013000", "must not say where to pay"),
    ],
)
def test_nobody_becomes_two_by_another_spelling(context: Context, name: str, reason: str) -> None:
    """Who signs would read the name as that of somebody who has a key."""
    key = PublicKey(PASSKEY, point(Authenticator().key), b"jara.example").text()

    with pytest.raises((Conflict, InvalidInput), match=reason):
        add_operator(acting(context, "ada"), name, key=key, roles=("approver",))


def test_an_operator_in_office_may_have_a_lookalike(context: Context) -> None:
    """Earlier versions took such names; each may still get a further key."""
    with context.store.write() as work:
        work.operations.put_operator(Operator("\u0430\u0501\u0430", context.now()))
    key = PublicKey(PASSKEY, point(Authenticator().key), b"jara.example").text()

    waiting = add_operator(acting(context, "ada"), "ada", key=key, roles=("approver",))

    assert isinstance(waiting, Approval)
