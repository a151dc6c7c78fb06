"""The journal: entries, totals, the sums of reports, and the trace of every dollar."""
