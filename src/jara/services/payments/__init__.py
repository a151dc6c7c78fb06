"""Movements of money at the payment provider: fetching, booking, refunding, reconciling."""
