"""Stripe as payment gateway."""
