"""People who join, and a gateway that can fail, for tests of people and giving."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from jara.domain.errors import NoCards, Unavailable
from jara.domain.giving.member import RegistrationForm
from jara.domain.giving.payment_way import PaymentWay
from jara.payments.sandbox.gateway import SandboxGateway
from jara.services.context import Context
from jara.services.giving.joining import register
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.payments.charging import charge_due
from jara.services.payments.importing import collect_movements
from jara.services.payments.ways import set_way
from tests.harness import clock_of

PASSWORD = "correct horse"
EMAIL = "ama@example.org"
ASKS = "pm_card_authenticationRequired"
FAILS = "pm_card_chargeCustomerFail"


def form(email: str = EMAIL, **changes: Any) -> RegistrationForm:
    """Return a form with valid fields."""
    filled = RegistrationForm(
        firstname="Ama",
        lastname="Mensah",
        email=email,
        password=PASSWORD,
        country="Ghana",
        privacy_policy=True,
    )
    return filled._replace(**changes)


def join(
    context: Context, email: str = EMAIL, *, card: str = "pm_card_visa", **changes: Any
) -> StartedPledge:
    """Register a person and book the charge."""
    started = register(context, form(email, **changes), payment_method=card)
    collect_movements(context)
    return started


def sandbox_of(context: Context) -> SandboxGateway:
    """Return the sandbox of a context, even behind a failing gateway."""
    gateway = context.gateway
    if isinstance(gateway, FailingGateway):
        return gateway.inner
    if not isinstance(gateway, SandboxGateway):
        raise NoCards("The test needs the sandbox's cards.")
    return gateway


def pass_time(context: Context, until: datetime) -> None:
    """Move the clock, and run what is due in the sandbox and the daily run."""
    clock_of(context).set(until)
    charge_due(context, sandbox_of(context))


class FailingGateway:
    """A sandbox with one failing call, which fails before or after it takes effect."""

    def __init__(
        self, inner: SandboxGateway, call: str, *, after: bool, error: BaseException
    ) -> None:
        """Break one call once."""
        self.inner = inner
        self._call = call
        self._after = after
        self._error: BaseException | None = error

    def __getattr__(self, name: str) -> Any:
        """Pass every call on, except the failing one."""
        real = getattr(self.inner, name)
        if name != self._call or self._error is None:
            return real
        return self._breaking(real)

    def _breaking(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            error, self._error = self._error, None
            assert error is not None
            if self._after:
                real(*args, **kwargs)
            raise error

        return call


def breaking(
    context: Context, call: str, *, after: bool = False, error: BaseException | None = None
) -> Context:
    """Return the same organisation with a provider that fails one call once."""
    fault = error or Unavailable("The payment provider did not answer.")
    gateway: Any = FailingGateway(sandbox_of(context), call, after=after, error=fault)
    return replace(context, gateway=gateway)


def charges(context: Context) -> list[int]:
    """Return the amounts charged."""
    return [row.amount for row in context.gateway.rows() if row.category == "charge"]


def charged_cents(context: Context) -> int:
    """Return the amount charged less the amount refunded."""
    return sum(row.amount for row in context.gateway.rows())


def leftovers(context: Context) -> list[object]:
    """Return the personal data left in our tables and at the provider."""
    with context.store.read() as work:
        found: list[object] = [*work.members.all(), *work.pledges.all(), *work.registrations.all()]
    return found + sandbox_of(context)._state.all("customer")


def take_cash(context: Context) -> None:
    """Let an organisation take payments in cash."""
    with context.store.write() as work:
        work.book_settings.put_account("assets:cash", kind="assets", meaning="Cash.")
    set_way(context, PaymentWay.CASH, ledger="assets:cash", details="At the office.")


def give_as_guest(context: Context) -> None:
    """Give five dollars by card without an account."""
    context.gateway.take_gift(
        cents=500,
        email="guest@example.org",
        name="A guest",
        payment_method="pm_card_visa",
        gift_id="g1",
        key="g1",
    )
