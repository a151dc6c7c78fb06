"""The machine fails for each fault that is added to the code."""

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.sizes import only_full, saw
from tests.system.seeded_faults import FAULTS, Seed
from tests.system.system_machine import SystemMachine

ENOUGH = settings(
    max_examples=200,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],  # only the failure matters, not a short history
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)


@only_full
@pytest.mark.parametrize("seed_fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_seeded_fault_is_found(seed_fault: Seed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred histories are enough to find it."""
    histories = 0

    class Counted(SystemMachine):
        def __init__(self) -> None:
            nonlocal histories
            super().__init__()
            histories += 1

    seed_fault(monkeypatch)
    with pytest.raises(Exception):  # noqa: B017, PT011 - how it shows is the fault's affair
        run_state_machine_as_test(Counted, settings=ENOUGH)
    saw(fault=seed_fault.__name__, histories=histories)
