"""The contents of the reports, before they are rendered."""
