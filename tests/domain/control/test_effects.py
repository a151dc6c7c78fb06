"""The table of what each act touches."""

from __future__ import annotations

import pytest

from jara.domain.control.effects import TOUCHES, Rule, Touch, roles_for, rule_for


def test_every_touch_has_a_rule() -> None:
    """The table of touches is complete."""
    assert TOUCHES.keys() == set(Touch)


def test_the_strictest_touch_gives_the_rule() -> None:
    """A use case that touches only a part of what its act may touch asks for that part."""
    assert rule_for("legal.import") is Rule.TWO
    assert rule_for("legal.import", [Touch.EMAIL]) is Rule.ALONE


def test_an_act_touches_only_what_it_declares() -> None:
    """A touch that the act's row does not have is a defect, as is an act without a row."""
    with pytest.raises(LookupError, match="does not declare: signers"):
        rule_for("legal.import", [Touch.SIGNERS])
    with pytest.raises(LookupError):
        rule_for("no.such.act")
    assert roles_for("no.such.act") == frozenset()
