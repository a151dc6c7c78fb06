"""Keys, limits and roles computed from the log: invalid leaves are named."""

from collections.abc import Mapping
from typing import Any

import pytest

from jara import jara_verify
from jara.domain.control.effects import ACTS, TOUCHES, Rule, Touch, roles_for, rule_for
from jara.domain.control.roles import Role, parse_roles
from jara.domain.control.ssh import BadSignature, Verify
from jara.domain.control.state import (
    REMOVE,
    BrokenControl,
    Control,
    EnrolledKey,
    Limits,
    Outlay,
    act_of_key,
    replay,
)
from jara.domain.control.statement import Signed, Statement, read_signed, read_statement, signer_of
from jara.domain.errors import InvalidInput
from jara.domain.publiclog.canonical import encode
from tests.acts_of_commands import OUTSIDE, SEVERAL, acts_of
from tests.domain.control.control_vectors import ADA, BEN, HERE, VECTORS, Vector, key_leaf
from tests.domain.control.test_passkeys import verify as library
from tests.fakes.operators import signatures
from tests.harness import NOON
from tests.pages.commands import list_commands

verify: Verify = library


def after(*leaves: Mapping[str, Any]) -> Control:
    """Return keys and limits after some leaves."""
    return replay(enumerate(leaves), HERE, verify)


def test_keys_come_and_go() -> None:
    """The first key signs for itself, the first signs the second, and both sign a removal."""
    control = after(key_leaf(ADA, ADA), key_leaf(BEN, ADA), key_leaf(BEN, BEN, ADA, change=REMOVE))

    assert list(control.keys) == [ADA.key.fingerprint]
    assert len(control.persons) == 2
    assert control.keys[ADA.key.fingerprint].roles == frozenset({Role.ADMIN})


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_a_leaf_against_the_rules_is_named(vector: Vector) -> None:
    """The program stops and names an invalid leaf, whoever wrote it."""
    if vector.wrong is None:
        assert after(*vector.leaves).needs_keys
        return
    with pytest.raises(BrokenControl, match=f"Leaf {vector.wrong} .*{vector.why}"):
        after(*vector.leaves)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_the_verifier_judges_the_same(vector: Vector) -> None:
    """The verifier names the same leaf, or none."""
    lines: list[str] = []
    control = jara_verify.Control(HERE, jara_verify.Report(lines.append))

    for index, leaf in enumerate(vector.leaves):
        control.add(index, dict(leaf))
    control.close()

    if vector.wrong is None:
        assert lines[0].startswith("ok      control: ")
    else:
        assert lines[0].startswith(f"FAILED  control: leaf {vector.wrong}: ")


def test_a_signature_under_another_name_is_refused() -> None:
    """The key named in a signature must be the one that signed."""
    act = act_of_key(key_leaf(ADA, ADA))
    (row,) = signatures(act, HERE, ADA)

    assert ADA.key.fingerprint == signer_of(act, row, HERE, verify)
    with pytest.raises(BadSignature, match=r"is by SHA256:.*, not by"):
        signer_of(act, row | {"key": BEN.key.fingerprint}, HERE, verify)
    with pytest.raises(BadSignature, match="not base64"):
        signer_of(act, row | {"signature": "?"}, HERE, verify)


def test_people_are_counted_and_not_keys() -> None:
    """Two keys of one person count as one person."""
    keys = {
        "a": EnrolledKey(ADA.key, "op_1", frozenset({Role.ADMIN})),
        "b": EnrolledKey(BEN.key, "op_1", frozenset({Role.BOOKKEEPER})),
    }
    control = Control(HERE, keys, {"a": "op_1", "b": "op_1"})

    assert control.people_of(["a", "b"], "x") == (frozenset({"op_1"}),) * 2
    assert control.signatures_for_change == 1


@pytest.mark.parametrize(
    ("limits", "outlay", "reached"),
    [
        (Limits(), Outlay(10**9, 10**9, 10**9), ""),
        (Limits(100), Outlay(99, 10**9, 10**9), ""),
        (Limits(100), Outlay(100), "it takes out $1.00, and $1.00 is the limit"),
        (Limits(None, 100), Outlay(10**9, 99, 10**9), ""),
        (
            Limits(None, 100),
            Outlay(1, 100),
            "one payee gets $1.00 in a day with it, and $1.00 is the limit",
        ),
        (Limits(total_limit_cents=100), Outlay(10**9, 10**9, 99), ""),
        (
            Limits(total_limit_cents=100),
            Outlay(1, 1, 150, outside=("assets:cash",)),
            (
                "$1.50 go out in a day with it, and $1.00 is the limit; "
                "the limits do not name assets:cash as ours"
            ),
        ),
        (
            Limits(month_limit_cents=100),
            Outlay(1, 1, 1, 200),
            "$2.00 go out in a month with it, and $1.00 is the limit",
        ),
        (Limits(0, 0, 2, 0), Outlay(0), ""),
    ],
)
def test_limits_are_reached(limits: Limits, outlay: Outlay, reached: str) -> None:
    """One act, a payee's day, or the whole day or month reach a limit, which is told."""
    assert limits.reached(outlay) == reached


@pytest.mark.parametrize(
    ("rule", "limits", "needs_another"),
    [
        (Rule.ALONE, Limits(1), False),
        (Rule.LIMITED, Limits(), False),
        (Rule.LIMITED, Limits(100), False),
        (Rule.LIMITED, Limits(99), True),
        (Rule.TWO, Limits(), False),
        (Rule.TWO, Limits(None, 100), True),
        (Rule.TWO, Limits(total_limit_cents=100), True),
        (Rule.GOVERNING, Limits(), False),
        (Rule.GOVERNING, Limits(100), True),
        (Rule.ALWAYS, Limits(), True),
    ],
)
def test_a_rule_says_when_another_person_must_sign(
    rule: Rule, limits: Limits, needs_another: bool
) -> None:
    """An act of 99 cents, where no key is enrolled."""
    assert Control(HERE, {}, {}).needs_another(rule, limits, Outlay(99)) is needs_another


@pytest.mark.parametrize(
    "text",
    [
        b"{}",
        b"[]",
        encode({"t": "jara/v1/act"}),
        encode(
            {
                "arguments": 1,
                "nonce": "",
                "organisation": "",
                "t": "jara/v1/act",
                "time": "",
                "verb": "",
            }
        ),
    ],
)
def test_malformed_statement_bytes_are_refused(text: bytes) -> None:
    """A signature of anything other than an act is refused."""
    with pytest.raises(BadSignature, match="not of an act"):
        read_statement(text)


@pytest.mark.parametrize("time", ["yesterday", "2026-11-20"])
def test_an_invalid_time_is_refused(time: str) -> None:
    """Text that is not an instant is refused as a time."""
    wanted = Statement("a", {}, HERE, time, "00")
    made = Signed(wanted.encode(), b"")

    with pytest.raises(BadSignature, match=f"'{time}' is not a time"):
        read_signed(made, wanted, now=NOON, verify=verify)


@pytest.mark.parametrize(
    ("action", "roles"),
    [
        ("projects.pay", {"admin", "bookkeeper"}),
        ("projects.edit", {"admin", "editor"}),
        ("proposals.open", {"admin", "editor"}),
        ("proposals.close", {"admin", "bookkeeper", "scheduler"}),
        ("votes.seal", {"admin", "bookkeeper", "scheduler"}),
        ("votes.destroy-early", {"admin", "bookkeeper"}),
        ("approvals.approve", {"admin", "approver"}),
        ("approvals.refuse", {"admin", "approver", "bookkeeper"}),
        ("operators.add", {"admin"}),
        ("stripe.setup", {"admin"}),
        ("proofs.rotate-key", {"admin"}),
        ("proofs.signer-reset", {"admin"}),
        ("proofs.checkpoint", {"admin", "bookkeeper", "scheduler"}),
        ("ledger.post", {"admin", "bookkeeper"}),
    ],
)
def test_an_act_needs_a_role(action: str, roles: set[str]) -> None:
    """An admin may do everything; an auditor may do nothing."""
    assert roles_for(action) == roles


def test_roles_are_read() -> None:
    """Several words are read as several roles."""
    assert parse_roles(["editor", "approver"]) == {Role.EDITOR, Role.APPROVER}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["king"], "'king' is not a role; they are admin, bookkeeper"),
        (["scheduler", "bookkeeper"], "the role 'scheduler' has no other role"),
        (["auditor", "editor"], "the role 'auditor' has no other role"),
    ],
)
def test_roles_limit_the_daily_run_and_auditors(words: list[str], sentence: str) -> None:
    """The key of the daily run pays nothing; an auditor changes nothing."""
    with pytest.raises(InvalidInput, match=sentence):
        parse_roles(words)


def test_every_touch_has_a_rule() -> None:
    """The table of touches is complete."""
    assert TOUCHES.keys() == set(Touch)


def test_the_strictest_touch_gives_the_rule() -> None:
    """A use case that touches only a part of what its act may touch asks for that part."""
    assert rule_for("legal.import") is Rule.TWO
    assert rule_for("legal.import", [Touch.EMAIL]) is Rule.ALONE


def test_an_act_touches_only_declared_tables() -> None:
    """A touch that the act's row does not have is a defect, as is an act without a row."""
    with pytest.raises(LookupError, match="does not declare: signers"):
        rule_for("legal.import", [Touch.SIGNERS])
    with pytest.raises(LookupError):
        rule_for("no.such.act")
    assert roles_for("no.such.act") == frozenset()


def test_each_command_of_the_table_exists_and_its_acts_have_rows() -> None:
    """A renamed command or act is renamed in the table too."""
    commands = {path.removeprefix("jara ") for path, _ in list_commands()}
    acts = {action for command in commands for action in acts_of(command)}

    assert SEVERAL.keys() | OUTSIDE.keys() <= commands
    assert acts <= ACTS.keys()
    assert {name for name, act in ACTS.items() if act.roles} - acts == {
        "approvals.fail",
        "approvals.prepare",
        "ways.set",
    }
