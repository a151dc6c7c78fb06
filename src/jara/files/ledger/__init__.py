"""Reads and writes entries: CSV, journal (hledger), Beancount, JSON."""
