"""Passkeys of phones among operators' keys: roles, limits, and what the verifiers say."""

import io
import lzma
import sys
from contextlib import redirect_stdout
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from random import Random

import pytest

from jara.domain.control.ssh import BadSignature, NotVerified, WrongOrigin
from jara.domain.control.state import Limits, PhoneLimit, SameSigner
from jara.domain.errors import Conflict, InvalidInput, Refused
from jara.records.operations import Approval
from jara.services.approvals import APPROVED, WAITING, approve, list_approvals, refuse
from jara.services.context import Context
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.control import set_limits, show_limits
from jara.services.operations.operators import add_operator
from tests.fakes.operators import acting, approve_as, enrol_phone, waits
from tests.fakes.passkeys import Phone
from tests.services.operations.controlled_world import (
    LIMIT_CENTS,
    assert_good,
    make_controlled,
    verify,
    waiting_grant,
)
from tests.sizes import size

AMA, IDA = Phone("ama"), Phone("ida")
OLD_VERIFIER = Path(__file__).parents[2] / "releases" / "jara_verify-0.2.0.py.xz"
"""The verifier as it came with Jara 0.2.0."""


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """An organisation with keys, a limit of $10, and Ama's phone."""
    context = make_controlled(tmp_path)
    enrol_phone(context, AMA, "ada", "ben")
    return context


def signed(context: Context, phone: Phone, approval: Approval) -> Approval:
    """Approve with a phone."""
    by = acting(context, phone.name, phone=phone)
    return approve(by, approval.id, handlers=HANDLERS).approval


def limit_phones(context: Context, cents: int | None, approvals: int = 2) -> None:
    """Set the limit up to which phones count; ada and ben sign, and dan if three must."""
    limits = show_limits(context)._replace(phone_limit_cents=cents, approvals=approvals)
    done = set_limits(acting(context, "ada"), limits, why="voted")
    if isinstance(done, Approval):
        approve_as(context, done, "ben")
    assert show_limits(context).phone_limit_cents == cents


def test_an_old_verifier_names_the_kind_of_key(context: Context, tmp_path: Path) -> None:
    """The one of 0.2.0 never calls a log good that it cannot judge."""
    signed(context, AMA, waiting_grant(context))
    verify(context, tmp_path)

    spec = spec_from_loader("old_verify", loader=None)
    assert spec is not None
    old = module_from_spec(spec)
    sys.modules["old_verify"] = old
    exec(lzma.decompress(OLD_VERIFIER.read_bytes()), vars(old))  # noqa: S102 - our own program
    with redirect_stdout(out := io.StringIO()):
        status = old.main([str(tmp_path / "bundle.tar")])
    del sys.modules["old_verify"]

    assert status == 1
    assert "a key is of an unknown kind" in out.getvalue()


@pytest.mark.parametrize("role", ["admin", "bookkeeper", "scheduler"])
def test_a_phone_has_no_role_that_asks(tmp_path: Path, role: str) -> None:
    """Who asks or governs needs an SSH key."""
    context = make_controlled(tmp_path)

    with pytest.raises(InvalidInput, match="needs an SSH key of its own"):
        add_operator(acting(context, "ada"), "ama", key=AMA.key.text(), roles=(role,))


def test_a_phone_without_a_role_approves(tmp_path: Path) -> None:
    """Its default is narrower than that of an SSH key."""
    context = make_controlled(tmp_path)
    done = waits(add_operator(acting(context, "ada"), "ama", key=AMA.key.text()))

    assert done.payload["roles"] == ["approver"]


def test_above_the_limit_a_phone_does_not_count(context: Context, tmp_path: Path) -> None:
    """At the limit it counts; above it, an SSH key has to sign; 0 turns phones off."""
    limit_phones(context, 2 * LIMIT_CENTS)

    large = waiting_grant(context, cents=2 * LIMIT_CENTS + 1)
    with pytest.raises(PhoneLimit, match="over the limit for phones"):
        signed(context, AMA, large)
    assert [one.id for one in list_approvals(context)] == [large.id]
    approve_as(context, large, "ben")
    assert signed(context, AMA, waiting_grant(context, cents=2 * LIMIT_CENTS)).state == APPROVED

    limit_phones(context, 0)
    with pytest.raises(PhoneLimit):
        signed(context, AMA, waiting_grant(context))
    assert_good(context, tmp_path)


def test_a_phone_that_signed_before_the_limit_does_not_count_after_it(
    context: Context, tmp_path: Path
) -> None:
    """The rule at the last signature holds, for server and verifier."""
    limit_phones(context, None, approvals=3)
    waiting = waiting_grant(context)
    assert signed(context, AMA, waiting).state == WAITING
    done = set_limits(
        acting(context, "ada"), Limits(LIMIT_CENTS, approvals=3, phone_limit_cents=0), why="theft"
    )
    assert isinstance(done, Approval)
    approve_as(context, done, "ben")
    assert signed(context, AMA, done).state == APPROVED, "until then a phone counted"

    by_ben = approve(acting(context, "ben"), waiting.id, handlers=HANDLERS)
    assert by_ben.approval.state == WAITING, "the asker and Ben are two of three people"
    by_ada = approve(acting(context, "ada"), waiting.id, handlers=HANDLERS)
    assert by_ada.approval.state == APPROVED
    assert_good(context, tmp_path)


@pytest.mark.parametrize(
    ("phone", "error"),
    [
        (AMA.but(flags=0), NotVerified),
        (AMA.but(origin="https://www.jara.example"), WrongOrigin),
        (IDA, Refused),
        (AMA.but(kind="webauthn.create"), BadSignature),
    ],
)
def test_a_forged_assertion_changes_nothing(
    context: Context, phone: Phone, error: type[Exception]
) -> None:
    """The act goes on waiting."""
    waiting = waiting_grant(context)

    with pytest.raises(error):
        signed(context, phone, waiting)
    assert list_approvals(context) == [waiting]


# ---------------------------------------------------------------- random histories


PERSON = {"ada": "ada", "ben": "ben", "kit": "kit", "ama": "ama", "ida": "ida", "spare": "ben"}
"""The owner of each key; `spare` is Ben's phone."""
PHONES = {"ama": AMA, "ida": IDA, "spare": Phone("spare")}


class Model:
    """Who signed what, by the rules as people read them."""

    def __init__(self) -> None:
        """Start with the limits of `make_controlled`."""
        self.needed = 2
        self.phone_cents: int | None = None
        self.signers: dict[str, list[str]] = {}
        self.cents: dict[str, int] = {}

    def ask(self, waiting: Approval, key: str) -> None:
        """Note an act and who asks."""
        self.signers[waiting.id] = [key]
        self.cents[waiting.id] = int(waiting.payload["cents"])

    def counts(self, key: str, approval: str) -> bool:
        """Return whether a key counts for an act."""
        most, cents = self.phone_cents, self.cents[approval]
        return key not in PHONES or most is None or (most > 0 and cents <= most)

    def sign(self, approval: str, key: str) -> str:
        """Return what a signature leads to."""
        before = self.signers[approval]
        if PERSON[key] in {PERSON[one] for one in before}:
            return "same"
        if not self.counts(key, approval):
            return "phone"
        before.append(key)
        people = {PERSON[one] for one in before if self.counts(one, approval)}
        if len(people) < self.needed or len(people - {"kit"}) < self.needed - 1:
            return WAITING
        del self.signers[approval]
        return APPROVED


def outcome(context: Context, key: str, approval: str) -> str:
    """Sign with a key; return what came of it."""
    by = acting(context, PERSON[key], key=key, phone=PHONES.get(key))
    try:
        return approve(by, approval, handlers=HANDLERS).approval.state
    except SameSigner:
        return "same"
    except PhoneLimit:
        return "phone"


@pytest.mark.parametrize("seed", range(size(3, 100)))
def test_random_histories_equal_the_model(tmp_path: Path, seed: int) -> None:
    """SSH keys and phones sign, refuse and are limited in any order; the verifier agrees."""
    context, draw, model = make_controlled(tmp_path), Random(seed), Model()
    for phone in (AMA, IDA):
        enrol_phone(context, phone, "ada", "ben")
    enrol_phone(context, PHONES["spare"], "ada", "ben", name="ben")
    for _ in range(25):
        step = draw.choice(["ask", "sign", "sign", "sign", "refuse", "limit"])
        waiting = sorted(model.signers)
        if step == "ask" or not waiting:
            asker = draw.choice(["kit", "ada"])
            act = waiting_grant(context, asker, LIMIT_CENTS * draw.choice([1, 2, 3]))
            model.ask(act, asker)
        elif step == "sign":
            approval, key = draw.choice(waiting), draw.choice(sorted(PERSON))
            if key != "kit":
                assert outcome(context, key, approval) == model.sign(approval, key)
        elif step == "refuse":
            approval, key = draw.choice(waiting), draw.choice(["ama", "ben"])
            by = acting(context, PERSON[key], key=key, phone=PHONES.get(key))
            refuse(by, approval, why="no")
            del model.signers[approval]
            with pytest.raises(Conflict):
                outcome(context, "ida", approval)
        else:
            model.phone_cents = draw.choice([None, 0, LIMIT_CENTS, 2 * LIMIT_CENTS])
            limit_phones(context, model.phone_cents)

    assert sorted(one.id for one in list_approvals(context)) == sorted(model.signers)
    assert_good(context, tmp_path)
