"""Payments of one milestone on several connections at the same time."""

import threading
from pathlib import Path

import pytest

from jara.domain.errors import JaraError
from jara.services.projects.disbursing import disburse
from jara.services.projects.milestones import plan_payment
from tests.faults.fault_world import found, reopen
from tests.services.projects.test_milestones import voted

PAYERS = 4
pytestmark = pytest.mark.slow


def test_payments_at_the_same_time_stay_within_a_milestone(place: Path) -> None:
    """Of four payments of $3 for a milestone of $10, one is refused."""
    context = found(place).context
    voted(context, "Deep wells")
    payment = plan_payment(context, "deep-wells", 300, milestone="survey")
    start, answers = threading.Barrier(PAYERS), list[str]()

    def run() -> None:
        application = reopen(place)
        start.wait()
        try:
            disburse(application.context, payment)
            answers.append("paid")
        except JaraError as error:
            answers.append(error.message)
        finally:
            application.context.store.close()

    threads = [threading.Thread(target=run) for _ in range(PAYERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(answers) == [
        "The tranche of 'Survey' is $10.00, of which $9.00 are paid; $3.00 was requested.",
        *["paid"] * 3,
    ]
