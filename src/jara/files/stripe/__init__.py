"""Reads Stripe's CSV reports and JSON lists."""
