"""The ledger: posting entries, reading balances, budgets, traces, verification."""
