"""After any sequence of acts, money and votes equal the model's."""

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.postgres_server import PostgresServer
from tests.sizes import IS_SOAK, only_full, saw, size
from tests.system.provider_worlds import SandboxWorld, World
from tests.system.system_machine import StripeMachine, SystemMachine


def histories(count: int, steps: int) -> settings:
    """Return the number and length of the histories; in a soak, its seed decides."""
    saw(histories=count, steps_at_most=steps)
    return settings(
        max_examples=count, stateful_step_count=steps, deadline=None, derandomize=not IS_SOAK
    )


TestSandboxHistories = SystemMachine.TestCase
TestSandboxHistories.settings = histories(size(3, 1000, full=40), size(25, 60))

TestStripeHistories = StripeMachine.TestCase
TestStripeHistories.settings = histories(size(1, 150, full=10), size(20, 50))


@only_full
def test_histories_on_postgresql(postgres: PostgresServer) -> None:
    """PostgreSQL gets fewer histories, because its queries are slower."""

    class OnServer(SystemMachine):
        def open_world(self) -> World:
            return SandboxWorld(postgres.create_with_tables())

    run_state_machine_as_test(OnServer, settings=histories(size(1, 100), size(25, 60)))


def test_a_bank_question_may_be_answered_too_late() -> None:
    """After a day Stripe cancels the payment, and the unpaid pledge is gone."""
    history = StripeMachine()
    try:
        history.begin(people=2, has_passed=False)
        history.join(card="pm_card_authenticationRequired", day="current", dollars=13)
        history.pass_time(hours=360)
        history.confirm(number=0, succeed=False)
        history.everything_holds()
    finally:
        history.teardown()
