"""The books: accounts, entries, funds, years and the trace."""
