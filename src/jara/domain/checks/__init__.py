"""The checks of ``jara ledger verify``: books, log and votes."""
