"""Writes reports as Markdown, HTML, PDF, JSON and CSV."""
