"""People who give, for the tests of the gateways."""

from jara.domain.giving.billing_day import BillingDay
from jara.services.ports.payments import Attempt, PaymentGateway, SubscriptionFacts


class People:
    """Creates customers and subscriptions, each for a new person."""

    gateway: PaymentGateway
    people: int

    def customer(self, card: str = "pm_card_visa", *, email: str = "") -> str:
        """Create a customer with a card."""
        self.people += 1
        return self.gateway.create_customer(
            email=email or f"giver{self.people}@example.org",
            name="Ama Mensah",
            member_id=f"member{self.people}",
            payment_method=card,
            key=f"customer:{self.people}",
        )

    def start(
        self, card: str = "pm_card_visa", day: BillingDay = BillingDay.CURRENT, dollars: int = 10
    ) -> Attempt:
        """Create a customer and start a subscription."""
        return self.gateway.start_subscription(
            customer_id=self.customer(card),
            dollars=dollars,
            billing_day=day,
            member_id=f"member{self.people}",
            key=f"subscription:{self.people}",
        )

    def facts(self, attempt: Attempt) -> SubscriptionFacts:
        """Return the subscription that an attempt started."""
        return self.gateway.subscription(attempt.reference)
