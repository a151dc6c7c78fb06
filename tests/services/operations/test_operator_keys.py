"""Operators: names, keys, roles, and acts without a signature."""

from dataclasses import replace
from pathlib import Path

import pytest

from jara.domain.control.roles import Role
from jara.domain.control.state import Limits
from jara.domain.errors import Conflict, InvalidInput, NotFound, Refused
from jara.records.operations import Approval, Operator
from jara.services.approvals import approve, list_approvals
from jara.services.audit import record_act, require_operator
from jara.services.authority import SCHEDULER, read_control
from jara.services.context import Context, Rules
from jara.services.operations.approved_acts import HANDLERS
from jara.services.operations.control import set_limits, show_limits
from jara.services.operations.operators import add_operator, list_operators, remove_operator
from tests.fakes.operators import TestSigner, acting, approve_as, enrol, public
from tests.harness import make_organisation


def act(context: Context, action: str = "ledger.post") -> None:
    """Write an audited act."""
    with context.store.write() as work:
        record_act(context, work, action, "subject")


def test_the_first_key_signs_for_itself(context: Context) -> None:
    """The first key signs its own enrolment and is an admin's; the log records this."""
    add_operator(acting(context, "ada"), "ada", key=public("ada"))

    (listed,) = list_operators(context)
    assert [key.fingerprint for key in listed.keys] == [TestSigner("ada").key.fingerprint]
    assert tuple(key.roles for key in listed.keys) == ((Role.ADMIN,),)
    with context.store.read() as work:
        types = [leaf.type for leaf in work.log.control_leaves()]
    assert types == ["jara/v1/control_policy", "jara/v1/ways_in", "jara/v1/operator_key"]


def test_the_first_key_is_ones_own_and_at_hand(context: Context) -> None:
    """The first key must be the operator's own, usable and an admin's, to prevent a lock-out."""
    with pytest.raises(Conflict, match="jara operators add ada --key"):
        add_operator(acting(context, "ada"), "ben", key=public("ben"))
    with pytest.raises(Refused, match="not enrolled"):
        add_operator(acting(context, "ada", key="other"), "ada", key=public("ada"))
    with pytest.raises(InvalidInput, match="role 'admin'"):
        add_operator(acting(context, "ada"), "ada", key=public("ada"), roles=("editor",))

    assert list_operators(context) == []


def test_after_the_first_key_every_act_needs_a_key(context: Context) -> None:
    """A name without a key is refused, even the scheduler's."""
    enrol(context, ada="admin")

    for name in ("ada", "scheduler", "tester"):
        with pytest.raises(Refused, match="has no signer"):
            act(replace(context, operator=name))
    with pytest.raises(Refused, match="is not enrolled"):
        act(acting(context, "mallory"))
    act(acting(context, "ada"))


def test_an_act_is_recorded_in_the_name_of_the_key(context: Context) -> None:
    """The signing key decides the recorded name, not JARA_OPERATOR; the signature is stored."""
    enrol(context, ada="admin")

    act(acting(context, "somebody", key="ada"))

    row = context.store.read_once().operations.audit()[-1]
    assert row.operator == "ada"
    assert len(row.after["signed"]) == 32


def test_a_command_signs_once(context: Context) -> None:
    """One touch of a security key covers all transactions of a command."""
    enrol(context, ada="admin")
    command = acting(context, "ada")

    act(command)
    act(command)

    signer = command.signer
    assert isinstance(signer, TestSigner)
    assert len(signer.made) == 1


def test_a_signature_survives_a_transaction_that_is_undone(context: Context) -> None:
    """The signature of an undone transaction is stored with the command's next transaction."""
    enrol(context, ada="admin")
    command = acting(context, "ada")

    def fail() -> None:
        with command.store.write() as work:
            record_act(command, work, "ledger.post", "x")
            raise RuntimeError("the file was bad")

    with pytest.raises(RuntimeError):
        fail()
    act(command)
    act(command)

    (first, last) = context.store.read_once().operations.audit(action="ledger.post")
    assert first.after["signed"] == last.after["signed"]


def test_a_key_that_is_removed_meanwhile_does_nothing_more(context: Context) -> None:
    """This holds for the later transactions of a command that the key has signed."""
    enrol(context, ada="admin", ben="editor")
    command = acting(context, "ben")
    act(command, "projects.edit")
    remove_operator(acting(context, "ada"), "ben")

    with pytest.raises(Refused, match="is not enrolled in this organisation"):
        act(command, "projects.edit")


def test_a_role_is_for_some_acts(context: Context) -> None:
    """A bookkeeper pays, and changes no keys."""
    enrol(context, ada="admin", eve="bookkeeper")

    act(acting(context, "eve"), "projects.pay")
    with pytest.raises(Refused, match=r"'eve' has the role bookkeeper; 'operators\.add' is for"):
        act(acting(context, "eve"), "operators.add")


def test_later_keys_need_as_many_as_there_are(context: Context) -> None:
    """One person enrols the second key, two the third; the default role is daily work."""
    enrol(context, ada="admin")

    second = add_operator(acting(context, "ada"), "ben", key=public("ben"))
    third = add_operator(acting(context, "ada"), "eve", key=public("eve"), roles=("editor",))

    assert isinstance(second, Operator)
    assert isinstance(third, Approval)
    assert list_approvals(context) == [third]
    approve_as(context, third, "ben")
    roles = {one.operator.name: one.keys[0].roles for one in list_operators(context)}
    assert set(roles["ben"]) == {"approver", "bookkeeper", "editor"}
    assert roles["eve"] == (Role.EDITOR,)


def test_a_key_is_one_persons(context: Context) -> None:
    """Another person's key is refused; a second key for the same operator is accepted."""
    enrol(context, ada="admin")

    with pytest.raises(Conflict, match="is or was enrolled"):
        add_operator(acting(context, "ada"), "ben", key=public("ada"))
    add_operator(acting(context, "ada"), "ada", key=public("spare"), roles=("admin",))

    (listed,) = list_operators(context)
    assert len(listed.keys) == 2
    with context.store.read() as work:
        control = read_control(context, work)
    assert len(set(control.persons.values())) == 1


def test_a_name_without_a_key_is_refused_once_there_are_keys(context: Context) -> None:
    """Names listed before the first key stay listed until they get keys."""
    add_operator(context, "tester")
    add_operator(context, "ada")
    add_operator(acting(context, "ada"), "ada", key=public("ada"))

    with pytest.raises(InvalidInput, match="--key FILE"):
        add_operator(acting(context, "ada"), "ben")
    add_operator(acting(context, "ada"), "tester", key=public("tester"))

    assert [one.operator.name for one in list_operators(context)] == ["ada", "tester"]


def test_a_name_without_a_key_can_be_removed(context: Context) -> None:
    """An operator can be removed without enrolling a key first."""
    add_operator(context, "tester")
    add_operator(context, "ada")
    add_operator(acting(context, "ada"), "ada", key=public("ada"))

    remove_operator(acting(context, "ada"), "tester")

    removed = {one.operator.name: one.operator.removed_at for one in list_operators(context)}
    assert removed["tester"] is not None
    with pytest.raises(NotFound, match="'ghost' is not an operator"):
        remove_operator(acting(context, "ada"), "ghost")


def test_removing_a_key_needs_signatures_too(context: Context) -> None:
    """One operator cannot remove another alone; a removed key signs nothing more."""
    enrol(context, ada="admin", ben="approver", eve="editor")

    waiting = remove_operator(acting(context, "ada"), "eve")
    act(acting(context, "eve"), "projects.edit")
    approve_as(context, waiting, "ben")

    with pytest.raises(Refused, match="is not enrolled"):
        act(acting(context, "eve"), "projects.edit")
    listed = {one.operator.name: one for one in list_operators(context)}
    assert listed["eve"].operator.removed_at is not None
    assert listed["eve"].keys == ()


def test_removing_one_of_several_keys_needs_its_name(context: Context) -> None:
    """After a lost laptop, one key is removed and the operator stays."""
    enrol(context, ada="admin")
    add_operator(acting(context, "ada"), "ada", key=public("spare"), roles=("admin",))
    spare = TestSigner("spare").key.fingerprint

    with pytest.raises(InvalidInput, match="has 2 keys; say which"):
        remove_operator(acting(context, "ada"), "ada")
    with pytest.raises(NotFound, match="has no key SHA256:x"):
        remove_operator(acting(context, "ada"), "ada", key="SHA256:x")
    remove_operator(acting(context, "ada"), "ada", key=spare)

    (listed,) = list_operators(context)
    assert listed.operator.removed_at is None
    with pytest.raises(Conflict, match="last key with the role 'admin'"):
        remove_operator(acting(context, "ada"), "ada")


def test_a_lone_admin_hands_over(context: Context) -> None:
    """A key may sign its own removal as its last act."""
    enrol(context, ada="admin")
    add_operator(acting(context, "ada"), "ada", key=public("new"), roles=("admin",))

    remove_operator(acting(context, "ada"), "ada", key=TestSigner("ada").key.fingerprint)

    act(acting(context, "ada", key="new"))


def test_a_removed_operator_may_return_with_the_same_key(context: Context) -> None:
    """The log treats the operator as the same person."""
    enrol(context, ada="admin", eve="editor")
    remove_operator(acting(context, "ada"), "eve")

    add_operator(acting(context, "ada"), "eve", key=public("eve"), roles=("editor",))

    act(acting(context, "eve"), "projects.edit")


def test_limits_come_from_the_settings_until_they_are_stored(place: Path) -> None:
    """The first key writes the limits to the log; after that, the setting can only lower them."""
    context = make_organisation(place, rules=Rules(approval_cents=1000))
    assert show_limits(context) == Limits(1000, 1000)
    enrol(context, ada="admin")

    without = replace(context, rules=Rules())
    higher = replace(context, rules=Rules(approval_cents=9000))
    lower = replace(context, rules=Rules(approval_cents=10))

    assert [show_limits(without), show_limits(higher)] == [Limits(1000, 1000, 2, 1000)] * 2
    assert show_limits(lower) == Limits(10, 10, 2, 10)


def test_without_keys_anybody_sets_the_first_limits(context: Context) -> None:
    """Without keys, anybody sets the limits, or two people if a limit is already in force."""
    set_limits(context, Limits(500, 900), why="voted")

    waiting = set_limits(context, Limits(None, None), why="easier")
    approve(replace(context, operator="ada"), _id(waiting), handlers=HANDLERS)

    assert show_limits(context) == Limits()
    enrol(context, ada="admin")
    assert show_limits(context) == Limits()


def _id(waiting: object) -> str:
    assert isinstance(waiting, Approval)
    return waiting.id


@pytest.mark.parametrize("approvals", [1, 11])
def test_limits_need_a_reason_and_two_people(context: Context, approvals: int) -> None:
    """An operator cannot approve their own change."""
    with pytest.raises(InvalidInput, match="--why"):
        set_limits(context, Limits(500), why=" ")
    with pytest.raises(InvalidInput, match="not a number of approvals from 2 to 10"):
        set_limits(context, Limits(500, 500, approvals), why="voted")


def test_only_the_listed_act_once_somebody_is(context: Context) -> None:
    """Before anybody acts, and after it the daily run does, since it decides nothing."""
    stranger = replace(context, operator="mallory")

    with context.store.read() as work:
        require_operator(stranger, work, "ledger.post")
    add_operator(context, " tester ", why="founder")

    with context.store.read() as work:
        require_operator(context, work, "ledger.post")
        require_operator(replace(context, operator=SCHEDULER), work, "run.daily")
        with pytest.raises(Refused, match="'mallory' is not among the operators"):
            require_operator(stranger, work, "ledger.post")
    with pytest.raises(Refused):
        add_operator(stranger, "mallory")


def test_the_first_to_be_listed_is_oneself(context: Context) -> None:
    """The first listed name must be the operator's own, to prevent a lock-out."""
    with pytest.raises(Conflict, match="jara operators add tester"):
        add_operator(context, "ada")


def test_a_name_is_listed_once(context: Context) -> None:
    """A listed name cannot be added again, but a removed one may come back."""
    add_operator(context, "tester")
    add_operator(context, "ada")

    with pytest.raises(Conflict, match="'ada' is an operator already"):
        add_operator(context, "ada")
    removed = remove_operator(context, "ada")
    assert isinstance(removed, Operator)
    add_operator(context, "ada")

    assert removed.removed_at == context.now()
    assert [one.operator.removed_at for one in list_operators(context)] == [None, None]


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101])
def test_a_name_is_readable(place: Path, name: str) -> None:
    """A name that the audit log could not show is refused."""
    with pytest.raises(InvalidInput, match="not a valid name"):
        add_operator(make_organisation(place), name)


def test_the_last_operator_stays(context: Context) -> None:
    """An empty list would let anybody act again."""
    add_operator(context, "tester")

    with pytest.raises(Conflict, match="last operator"):
        remove_operator(context, "tester")


def test_changes_of_the_list_are_recorded(context: Context) -> None:
    """The audit log records who was listed or left, by whom and why."""
    add_operator(context, "tester", why="founder")
    add_operator(context, "ada", why="treasurer")
    remove_operator(context, "tester", why="moved on")

    with context.store.read() as work:
        acts = [(row.operator, row.action, row.subject, row.why) for row in work.operations.audit()]

    assert acts == [
        ("tester", "operators.add", "tester", "founder"),
        ("tester", "operators.add", "ada", "treasurer"),
        ("tester", "operators.remove", "tester", "moved on"),
    ]
