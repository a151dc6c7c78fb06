"""The database: transactions, repositories, and one driver for each engine."""
