"""Whatever happens in whatever order, money and votes are those of the model (trust §5, 14)."""

from __future__ import annotations

from hypothesis import settings

from tests.sizes import IS_SOAK, saw, size
from tests.system.system_machine import StripeMachine, SystemMachine


def histories(count: int, steps: int) -> settings:
    """Return how many histories of how many steps are drawn; of a soak the seed tells which."""
    saw(histories=count, steps_at_most=steps)
    return settings(
        max_examples=count, stateful_step_count=steps, deadline=None, derandomize=not IS_SOAK
    )


TestSandboxHistories = SystemMachine.TestCase
TestSandboxHistories.settings = histories(size(15, 1000), size(30, 60))

TestStripeHistories = StripeMachine.TestCase
TestStripeHistories.settings = histories(size(4, 150), size(25, 50))
