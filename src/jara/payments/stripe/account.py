"""Checks of the Stripe account, automatic and manual."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from jara.domain.currency import books_currency
from jara.payments.stripe.catalogue import StripeCatalogue
from jara.payments.stripe.client import StripeConnection, api_version
from jara.payments.stripe.events import EVENTS
from jara.payments.stripe.rows import StripeRows
from jara.payments.stripe.setup import StripeSetup
from jara.services.ports.outside import Clock
from jara.services.ports.payments import AccountCheck, SetupStep

_RECENT = timedelta(days=30)
_RETRIES = (
    "Failed payments are retried three times, each 7 days after the one before, and then cancel "
    "the subscription (Dashboard: billing, revenue recovery); the emails name these days."
)
_TRIALS = (
    "Stripe sends no emails about trials (Dashboard: billing, emails): a changed payment "
    "day is a trial to Stripe."
)
_DESCRIPTOR = (
    "The statement descriptor is one that givers know (Dashboard: business, public details)."
)


class StripeAccount:
    """Sets the account up and checks it."""

    def __init__(
        self,
        connection: StripeConnection,
        clock: Clock,
        *,
        site_url: str,
        webhook_secret: str | None,
    ) -> None:
        self._connection = connection
        self._clock = clock
        self._setup = StripeSetup(connection, site_url)
        self._catalogue = StripeCatalogue(connection)
        self._webhook_secret = webhook_secret

    def account_id(self) -> str:
        """Return the id of the account that the key belongs to."""
        with self._connection.asking() as v1:
            return str(v1.accounts.retrieve_current().id)

    def api_version(self) -> str:
        """Return the version that the SDK speaks."""
        return api_version()

    def set_up(self) -> list[SetupStep]:
        """Create what is missing and fix what differs; safe to repeat."""
        return self._setup.run()

    def checks(self) -> list[AccountCheck]:
        """Check the account; checks that need a person are reported as not ok."""
        return [
            *self._check_catalogue(),
            *self._check_endpoint(),
            *self._check_money(),
            *_checks_by_hand(),
        ]

    def _check_catalogue(self) -> Iterator[AccountCheck]:
        yield _check_present("product", [each.id for each in self._catalogue.products()])
        yield _check_present("price", [each.id for each in self._catalogue.prices()])
        yield _check_present("billing portal", [each.id for each in self._catalogue.portals()])

    def _check_endpoint(self) -> Iterator[AccountCheck]:
        name, found = "webhook endpoint", list(self._catalogue.endpoints())
        yield _check_present(name, [endpoint.id for endpoint in found])
        for endpoint in found:
            missing = sorted(set(EVENTS) - set(endpoint.enabled_events))
            complaints = []
            if endpoint.api_version != api_version():
                complaints.append(f"it speaks version {endpoint.api_version}, not {api_version()}")
            if endpoint.url != self._setup.webhook_url:
                complaints.append(f"it sends to {endpoint.url}, not to {self._setup.webhook_url}")
            if missing:
                complaints.append(f"it leaves out {', '.join(missing)}")
            if endpoint.status != "enabled":
                complaints.append(f"it is {endpoint.status}")
            yield AccountCheck(
                "webhook settings",
                ok=not complaints,
                message=f"{endpoint.id}: {'; '.join(complaints) or 'as expected'}.",
            )
        pending = self._webhook_secret is None
        yield AccountCheck(
            "webhook secret",
            ok=not pending,
            message="JARA_STRIPE_WEBHOOK_SECRET is not set to what `jara stripe setup` showed."
            if pending
            else "A webhook secret is set.",
        )

    def _check_money(self) -> Iterator[AccountCheck]:
        rows = StripeRows(self._connection)
        held = {
            balance.currency
            for balance in rows.balances()
            if balance.available_cents or balance.pending_cents or balance.in_transit_cents
        }
        survey = rows.survey(since=self._clock.now() - _RECENT)
        yield _check_currency("balance", held)
        yield _check_currency("transactions", survey.currencies)
        unmarked = survey.unmarked_gifts
        yield AccountCheck(
            "unmarked gifts",
            ok=not unmarked,
            is_grave=False,
            message=f"Not made by our pages, booked as gifts: {', '.join(unmarked)}."
            if unmarked
            else f"Every gift of the last {_RECENT.days} days was made by our pages.",
        )


def _checks_by_hand() -> Iterator[AccountCheck]:
    ours = books_currency()
    settlement = (
        f"Charges in {ours} settle in {ours} (Dashboard: bank accounts and currencies); an "
        f"account of another country needs a bank account in {ours}, else everything comes in "
        "its own currency."
    )
    for name, is_grave, message in (
        (f"settlement-{ours.lower()}", True, settlement),
        ("retries", False, _RETRIES),
        ("trial-mails", False, _TRIALS),
        ("statement-descriptor", False, _DESCRIPTOR),
    ):
        yield AccountCheck(name, ok=False, message=message, is_grave=is_grave, by_hand=True)


def _check_present(name: str, ids: list[str]) -> AccountCheck:
    if len(ids) == 1:
        return AccountCheck(name, ok=True, message=f"The {name} is {ids[0]}.")
    if not ids:
        return AccountCheck(name, ok=False, message=f"No {name}; run `jara stripe setup`.")
    return AccountCheck(
        name,
        ok=False,
        is_grave=False,
        message=f"There are {len(ids)}: {', '.join(ids)}; the first is used.",
    )


def _check_currency(name: str, currencies: Iterable[str]) -> AccountCheck:
    ours = books_currency().lower()
    others = sorted(set(currencies) - {ours})
    return AccountCheck(
        f"currency of the {name}",
        ok=not others,
        message=f"Also in {', '.join(others)}; the books are kept in {ours} only."
        if others
        else f"All in {ours}.",
    )
