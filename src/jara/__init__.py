"""Jara: monthly giving, votes on what it funds, and a ledger anyone can check."""

__version__ = "0.1.0"
