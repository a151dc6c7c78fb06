"""Pledges and gifts: joining, starting, changing and ending them."""
