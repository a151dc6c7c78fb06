"""The table of what each act touches."""

import pytest

from jara.domain.control.effects import ACTS, TOUCHES, Rule, Touch, roles_for, rule_for
from tests.acts_of_commands import OUTSIDE, SEVERAL, acts_of
from tests.pages.commands import list_commands


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
