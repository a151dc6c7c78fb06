"""Attacks by operators and forged signatures: each is refused, or the verifier names it."""

import json
from base64 import b64decode
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from jara.domain.books.journal import PostedEntry
from jara.domain.control.ssh import PublicKey, pack
from jara.domain.control.state import ADD, BrokenControl, Limits, act_of_limits
from jara.domain.control.statement import SharedAct, Signed, read_statement, signature_row
from jara.domain.errors import Conflict, InvalidInput, Refused
from jara.domain.publiclog.leaves import LeafType, shared_act_leaf
from jara.records.operations import Approval, SignedAct
from jara.services.approvals import CARRYING_OUT, approve, refuse
from jara.services.authority import read_control
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.control import set_limits, show_limits
from jara.services.operations.operators import add_operator, remove_operator
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from tests.fakes.operators import TestSigner, acting, approve_as, public, signatures, waits
from tests.harness import clock_of, copy_of
from tests.services.operations.controlled_world import (
    LIMIT_CENTS,
    forge_grant,
    grant,
    make_controlled,
    verify,
    waiting_grant,
)
from tests.services.operations.planted_faults import plant

HASH = "0" * 64


@pytest.fixture
def context(place: Path) -> Context:
    """Six keys with different roles, and a limit of $10."""
    return copy_of(make_controlled, place)


def test_a_visitor_checks_keys_and_approvals(context: Context, tmp_path: Path) -> None:
    """The bundle for visitors withholds payouts, but not the keys or the number of signers."""
    approve_as(context, waiting_grant(context), "ben")

    status, out = verify(context, tmp_path, whole=False)

    assert (status, "ok      control: 6 keys of 6 people, 0 payouts, " in out) == (0, True), out


def test_an_approvals_leaf_is_used_once(context: Context, tmp_path: Path) -> None:
    """A copy of an approval in the log approves nothing more."""
    approve_as(context, waiting_grant(context), "ben")
    with context.store.write() as work:
        (leaf,) = work.log.leaves_of(LeafType.APPROVAL)
        again = work.log.append(json.loads(leaf.body))
    forged = forge_grant(context)

    status, out = verify(context, tmp_path)

    assert (status, forged) == (1, again.index + 1)
    assert f"FAILED  control: leaf {again.index}: the signature" in out
    assert "was used before (and 1 more)" in out


def test_a_changed_amount_voids_the_signature(context: Context) -> None:
    """Changing the amount of the stored payload is detected."""
    waiting = waiting_grant(context)
    edit_payload(context, waiting, cents=50_000)

    with pytest.raises(Refused, match=f"{waiting.id} is not what 'kit' signed: it was changed"):
        approve_as(context, waiting, "ben")


def test_two_keys_of_one_person_are_one_person(context: Context) -> None:
    """A spare key cannot approve an act of its own owner."""
    spare = add_operator(acting(context, "ada"), "ada", key=public("spare"), roles=("admin",))
    approve_as(context, spare, "ben")
    waiting = waiting_grant(context, "ada")

    with pytest.raises(Conflict, match=r"You signed appr_.* already; it needs another person's"):
        approve(acting(context, "ada", key="spare"), waiting.id, handlers=HANDLERS)


def test_a_key_in_a_table_is_not_enrolled(context: Context) -> None:
    """The log decides which keys are enrolled, not the tables."""
    mallory = TestSigner("mallory").key
    with context.store.write() as work:
        work.operations.name_key(mallory.fingerprint, "ada")

    with pytest.raises(Refused, match="is not enrolled in this organisation"):
        grant(context, "mallory", 1)


def test_a_key_enrolled_by_nobody_stops_everything(context: Context, tmp_path: Path) -> None:
    """Program and verifier refuse a log with an enrolment that nobody signed."""
    assert verify(context, tmp_path)[0] == 0
    mallory = TestSigner("mallory").key
    fields = {
        "change": ADD,
        "key": mallory.fingerprint,
        "person": "op_x",
        "public_key": mallory.text(),
        "roles": ["admin"],
    }
    with context.store.write() as work:
        leaf = work.log.append(shared_act_leaf(LeafType.OPERATOR_KEY, HASH, fields, []))

    with pytest.raises(BrokenControl, match=f"Leaf {leaf.index} .* signed by 0 of the 2 people"):
        grant(context, "mallory", 1)
    assert f"leaf {leaf.index}: 0 of 2 people signed" in verify_unsigned(context, tmp_path)


def test_nobody_changes_the_limit_alone(context: Context, tmp_path: Path) -> None:
    """The program makes the change wait; the verifier names the leaf of a foreign program."""
    waiting = waits(set_limits(acting(context, "ada"), Limits(10**9, 10**9), why="easier"))

    assert show_limits(context) == Limits(LIMIT_CENTS, LIMIT_CENTS, 2, LIMIT_CENTS)
    with pytest.raises(Conflict, match="You signed"):
        approve_as(context, waiting, "ada")
    with context.store.write() as work:
        document = Limits(10**9, 10**9).document()
        leaf = work.log.append(shared_act_leaf(LeafType.CONTROL_POLICY, HASH, document, []))
    assert f"leaf {leaf.index}: 0 of 2 people signed" in verify_unsigned(context, tmp_path)


def test_no_limit_changes_without_an_admin(context: Context, tmp_path: Path) -> None:
    """A bookkeeper and an approver together may not change a limit."""
    document = Limits(10**9, 10**9).document()
    leaf = shared_act_leaf(LeafType.CONTROL_POLICY, HASH, document, [])
    signers = (TestSigner("kit"), TestSigner("ben"))
    with context.store.write() as work:
        here = read_control(context, work).organisation
        leaf["signatures"] = signatures(act_of_limits(leaf), here, *signers)
        index = work.log.append(leaf).index

    with pytest.raises(BrokenControl, match=f"Leaf {index} .* signed by no admin"):
        grant(context, "kit", 1)
    assert f"leaf {index}: no admin signed" in verify_unsigned(context, tmp_path)


def test_split_payments_count_together(context: Context) -> None:
    """Of several payments under the limit, the one that takes their sum past it waits."""
    limits = Limits(LIMIT_CENTS, LIMIT_CENTS, total_limit_cents=2 * LIMIT_CENTS)
    approve_as(context, set_limits(acting(context, "ada"), limits, why="voted"), "ben")
    paid = [grant(context, "kit", 300) for _ in range(4)]

    assert [isinstance(one, PostedEntry) for one in paid] == [True, True, True, False]
    assert isinstance(grant(context, "kit", 300, slug="other"), PostedEntry)


def test_split_payments_of_other_dates_count_together(context: Context) -> None:
    """Payments posted on the same day are added up, whatever their dates."""
    payment = Disbursement(Payee.GRANTS, "school", 600)
    days = [context.today() - timedelta(days=back) for back in (1, 2)]

    paid = [disburse(acting(context, "kit"), payment._replace(day=day)) for day in days]

    assert [isinstance(one, PostedEntry) for one in paid] == [True, False]


def test_split_payments_by_another_program_are_named(context: Context, tmp_path: Path) -> None:
    """The verifier adds up the payee's day too."""
    forge_grant(context, 600)
    last = forge_grant(context, 600)

    status, out = verify(context, tmp_path)

    assert status == 1
    assert f"leaf {last}: with it expenses:grants:school gets 1200 cents on 2026-11-19" in out


def test_a_payout_by_another_program_is_named(context: Context, tmp_path: Path) -> None:
    """The verifier names a payout written to books and log by a foreign program."""
    index = forge_grant(context)

    status, out = verify(context, tmp_path)

    assert status == 1
    assert f"leaf {index}: it pays 1000 cents without approval; the limit is 1000" in out
    (finding,) = verify_books(context).findings
    assert (finding.check, finding.where) == ("control", f"leaf {index}")


def test_back_dated_payouts_of_a_day_are_named(context: Context, tmp_path: Path) -> None:
    """Two payouts that another program posts today count together, whatever their days are."""
    forge_grant(context, 600, day=date(2026, 11, 19))
    last = forge_grant(context, 600, day=date(2026, 10, 19))
    message = f"leaf {last}: with it expenses:grants:school gets 1200 cents posted on 2026-11-20"

    status, out = verify(context, tmp_path)

    assert (status, message in out) == (1, True), out
    assert [one.where for one in verify_books(context).findings] == [f"leaf {last}"]


@pytest.mark.parametrize(
    ("instant", "day"), [("2026-11-18T12:00:00Z", "2026-11-18"), ("yesterday", "yesterday")]
)
def test_a_changed_time_of_posting_is_noticed(context: Context, instant: str, day: str) -> None:
    """The leaf of a back-dated payout has the day on which it was posted."""
    entry = grant(context, "kit", 600)
    assert isinstance(entry, PostedEntry)
    assert verify_books(context).findings == ()
    plant(context, f"UPDATE entries SET booked_at = '{instant}' WHERE reference = 'school'")  # noqa: S608 - instants of the test

    finding, *_ = verify_books(context).findings  # PostgreSQL's triggers are missing, too

    assert f"has '{day}' as 'posted' in its row and '2026-11-20' in its leaf" in finding.message


def test_a_state_set_by_hand_replaces_no_signature(context: Context) -> None:
    """An act that goes on after an interruption has been signed by enough people before."""
    waiting = waiting_grant(context)
    forged = waiting._replace(state=CARRYING_OUT, decided_by="ada", decided_at=context.now())
    with context.store.write() as work:
        work.operations.put_approval(forged)
    clock_of(context).advance(minutes=10)

    with pytest.raises(Conflict, match="lacks signatures"):
        approve_as(context, waiting, "ben")


def test_a_leaf_taken_out_is_missed(context: Context, tmp_path: Path) -> None:
    """Without its approval the payout is named, and no checkpoint matches."""
    approve_as(context, waiting_grant(context), "ben")
    with context.store.read() as work:
        (leaf,) = work.log.leaves_of(LeafType.APPROVAL)

    status, out = verify(context, tmp_path, drop=leaf.index)

    assert status == 1
    assert f"leaf {leaf.index}: it pays 1000 cents without approval" in out
    assert "FAILED  checkpoints:" in out


def test_two_servers_approve_at_once(context: Context) -> None:
    """Both servers see the act waiting, and one carries it out."""
    waiting = waiting_grant(context)
    seen = {waiting.action: HANDLERS[waiting.action]}
    late = replace(acting(context, "ada"), approved=waiting)
    approve_as(context, waiting, "ben")

    with pytest.raises(Conflict, match="is approved by 'ben' already"):
        seen[waiting.action](late, waiting.payload)
    with context.store.read() as work:
        assert len([x for x in work.journal.in_log_order() if x.entry.kind == "disbursement"]) == 1


def test_an_approval_without_signature_is_refused(context: Context) -> None:
    """A waiting act written into the table without a signature is refused."""
    waiting = waiting_grant(context)
    forged = waiting._replace(id="appr_forged", prepared_by="ada")
    with context.store.write() as work:
        work.operations.put_approval(forged)

    with pytest.raises(Refused, match="Nobody signed appr_forged; refuse it"):
        approve_as(context, forged, "ben")


def test_old_limits_are_not_put_back(context: Context, tmp_path: Path) -> None:
    """An old 'no limits', appended again with database access and no key, governs nothing."""
    for limits in (Limits(), Limits(LIMIT_CENTS, LIMIT_CENTS, total_limit_cents=LIMIT_CENTS)):
        approve_as(context, set_limits(acting(context, "ada"), limits, why="voted"), "ben")
    index = put_back(context, LeafType.CONTROL_POLICY, 1)

    with pytest.raises(BrokenControl, match=f"Leaf {index} .* was used before"):
        grant(context, "kit", 10 * LIMIT_CENTS)
    out = verify_unsigned(context, tmp_path)
    assert f"FAILED  control: leaf {index}: the signature" in out


def test_a_removed_key_is_not_put_back(context: Context, tmp_path: Path) -> None:
    """An old 'add cleo' makes nobody an operator again."""
    cleo = add_operator(acting(context, "ada"), "cleo", key=public("cleo"), roles=("bookkeeper",))
    approve_as(context, cleo, "ben")
    approve_as(context, remove_operator(acting(context, "ada"), "cleo"), "ben")
    index = put_back(context, LeafType.OPERATOR_KEY, -2)

    with pytest.raises(BrokenControl, match=f"Leaf {index} .* was used before"):
        grant(context, "cleo", 1)
    out = verify_unsigned(context, tmp_path)
    assert f"FAILED  control: leaf {index}: the signature" in out


def test_a_refused_change_is_not_carried_out_later(context: Context, tmp_path: Path) -> None:
    """A change that two signed when three were needed is void once two are enough."""
    dan = add_operator(acting(context, "ada"), "dan", key=public("dan"), roles=("approver",))
    approve_as(context, dan, "ben")
    three = Limits(LIMIT_CENTS, LIMIT_CENTS, 3, LIMIT_CENTS)
    approve_as(context, set_limits(acting(context, "ada"), three, why="voted"), "ben")
    waiting = waits(set_limits(acting(context, "ada"), Limits(), why="easier"))
    approve_as(context, waiting, "ben")
    refuse(acting(context, "ada"), waiting.id, why="no")
    signed = context.store.read_once().operations.signed_for(waiting.id)
    clock_of(context).advance(hours=1)
    two = set_limits(acting(context, "ada"), three._replace(approvals=2), why="voted")
    approve_as(context, two, "ben", "dan")
    with context.store.write() as work:
        act = SharedAct("operators.policy", signed_digest(signed[0]), public_part(signed[0]))
        rows = [
            signature_row(
                read_statement(one.statement.encode()),
                b64decode(one.signature),
                TestSigner(one.operator).key,
            )
            for one in signed
        ]
        leaf = shared_act_leaf(LeafType.CONTROL_POLICY, act.digest, act.public, rows)
        index = work.log.append(leaf).index

    with pytest.raises(BrokenControl, match=f"Leaf {index} .* before the change of keys or limits"):
        grant(context, "kit", 10 * LIMIT_CENTS)
    out = verify_unsigned(context, tmp_path)
    assert f"leaf {index}: it was signed before an earlier change" in out


def put_back(context: Context, leaf_type: LeafType, place: int) -> int:
    """Append an old leaf of the log again, with database access and no key; return its index."""
    with context.store.write() as work:
        old = list(work.log.leaves_of(leaf_type))[place]
        return work.log.append(json.loads(old.body)).index


def signed_digest(signed: SignedAct) -> str:
    """Return the digest of the act that an operator signed."""
    return str(read_statement(signed.statement.encode()).arguments["act"])


def public_part(signed: SignedAct) -> dict[str, object]:
    """Return the fields for the log that an operator signed."""
    arguments = read_statement(signed.statement.encode()).arguments
    return {name: value for name, value in arguments.items() if name != "act"}


def edit_payload(context: Context, waiting: Approval, **changes: object) -> None:
    """Change a stored approval in the database."""
    payload = json.dumps({**waiting.payload, **changes})
    with context.store.write() as work:
        work.sql.run(
            "UPDATE approvals SET payload = :payload WHERE id = :id",
            {"payload": payload, "id": waiting.id},
        )


def verify_unsigned(context: Context, folder: Path) -> str:
    """Return the verifier's answer when the program refuses to sign a checkpoint."""
    return verify(context, folder, sign=False)[1]


class Cheat(TestSigner):
    """Signs with a real key, then changes the signed statement."""

    __test__ = False

    def __init__(self, name: str, change: Callable[[TestSigner, Signed], Signed]) -> None:
        """Store the change to make."""
        super().__init__(name)
        self._change = change

    def sign(self, statement: bytes, keys: Sequence[PublicKey]) -> Signed:
        """Sign, then change the result."""
        return self._change(self, super().sign(statement, keys))


def cheat(context: Context, change: Callable[[TestSigner, Signed], Signed]) -> None:
    """Let the bookkeeper pay with a changed signature."""
    bad = replace(acting(context, "kit"), signer=Cheat("kit", change))
    disburse(bad, Disbursement(Payee.GRANTS, "school", 1))


def altered(**changes: str) -> Callable[[TestSigner, Signed], Signed]:
    """Return a change of statement fields that is signed again."""

    def change(signer: TestSigner, signed: Signed) -> Signed:
        document = json.loads(signed.statement) | changes
        text = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
        return Signed(text, signer.sign_blob(text))

    return change


def test_a_signature_is_used_once(context: Context) -> None:
    """A recorded signature cannot be used again."""
    first = acting(context, "kit")
    disburse(first, Disbursement(Payee.GRANTS, "school", 1))
    assert isinstance(first.signer, TestSigner)
    recorded = first.signer.made[0]

    with pytest.raises(Refused, match="The signature was used before; sign again"):
        cheat(context, lambda _signer, _signed: recorded)


def test_a_signature_for_another_organisation_is_refused(context: Context) -> None:
    """This holds even if both organisations have the same operators and keys."""
    with pytest.raises(Refused, match="The signature is for another organisation"):
        cheat(context, altered(organisation="other.example/log+0+AAAA"))


@pytest.mark.parametrize("minutes", [-6, 6])
def test_an_old_signature_is_refused(context: Context, minutes: int) -> None:
    """A signature from before or after its time is refused."""
    at = context.now() + timedelta(minutes=minutes)

    with pytest.raises(Refused, match="more than 5 minutes from now; check the clock"):
        cheat(context, altered(time=f"{at:%Y-%m-%dT%H:%M:%SZ}"))


def test_five_minutes_are_in_time(context: Context) -> None:
    """A person may take five minutes to find the security key."""
    at = context.now() - timedelta(minutes=5)

    cheat(context, altered(time=f"{at:%Y-%m-%dT%H:%M:%SZ}"))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda data: data[:-1], "The signature cannot be read: cut off"),
        (lambda data: data + b"\0", "The signature cannot be read: too long"),
        (lambda data: b"X" + data[1:], "The signature cannot be read: not an SSH signature"),
        (
            lambda data: data.replace(pack(b"jara-act"), pack(b"file")),
            "The signature was made for 'file', not for 'jara-act'",
        ),
        (
            lambda data: data.replace(pack(b"ssh-ed25519"), pack(b"ssh-xxxxxxx")),
            "The signature cannot be read: the unknown kind 'ssh-xxxxxxx'",
        ),
        (lambda data: data.replace(b"sha512", b"sha999"), "uses another hash than SHA-256"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "is not of this act"),
    ],
)
def test_a_damaged_signature_is_refused(
    context: Context, change: Callable[[bytes], bytes], sentence: str
) -> None:
    """Truncated, changed and unknown signatures are refused, and those for other uses."""
    with pytest.raises(Refused, match=sentence):
        cheat(context, lambda _signer, made: Signed(made.statement, change(made.signature)))


def test_a_signature_of_another_act_is_refused(context: Context) -> None:
    """A signature for a small act is refused for a large one."""
    with pytest.raises(Refused, match="The signature for 'members list' does not match"):
        cheat(context, altered(verb="members list"))


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("ssh-rsa AAAAB3NzaC1yc2E= x", "Keys of the kind 'ssh-rsa' are not accepted"),
        ("ecdsa-sha2-nistp256 AAAA x", "Keys of the kind 'ecdsa-sha2-nistp256' are not accepted"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "That is a private key"),
        ("ssh-ed25519 AAAA", "It is not an OpenSSH public key"),
        ("", "It is not an OpenSSH public key"),
    ],
)
def test_other_keys_are_not_enrolled(context: Context, key: str, sentence: str) -> None:
    """Only one kind of key is accepted, which everybody can verify."""
    with pytest.raises(InvalidInput, match=sentence):
        add_operator(acting(context, "ada"), "zoe", key=key)
