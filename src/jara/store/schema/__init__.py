"""The schema as migration steps.

A released step is frozen text: it imports no live code and never changes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from jara.store.schema import (
    m0001_foundation,
    m0002_flat_costs,
    m0003_secret_ballots,
    m0004_accounts,
    m0005_operator_keys,
    m0006_bank,
    m0007_views,
    m0008_payment_ways,
    m0009_bank_undo,
    m0010_languages,
    m0011_moving_in,
    m0012_payment_details,
    m0013_witnesses,
    m0014_kept_contributions,
    m0015_open_disputes,
    m0016_kept_matches,
    m0017_sealed_links,
    m0018_proven_payments,
    m0019_sealed_ballots,
    m0020_ways_in,
    m0021_approvals_in_order,
    m0022_paid_votes,
    m0023_bank_files,
    m0024_tranches,
    m0025_returns,
    m0026_month_ends,
    m0030_returned_emails,
    m0032_news,
    m0033_email_choice,
    m0034_field,
    m0035_announcements,
    m0036_legal_texts,
    m0037_partner_addresses,
    m0038_sample_links,
    m0041_attempts,
)


class SchemaStep(Protocol):
    """A module that advances the schema by one version."""

    __name__: str

    @property
    def STATEMENTS(self) -> tuple[str, ...]:  # noqa: N802 - a module's constant
        """The SQL statements, in order."""
        ...

    @property
    def APPEND_ONLY(self) -> tuple[str, ...]:  # noqa: N802 - a module's constant
        """New tables that refuse UPDATE and DELETE."""
        ...

    @property
    def WITHOUT_ROWID(self) -> Collection[str]:  # noqa: N802 - a module's constant
        """New tables that do not store the insertion order."""
        ...


STEPS: tuple[SchemaStep, ...] = (
    m0001_foundation,
    m0002_flat_costs,
    m0003_secret_ballots,
    m0004_accounts,
    m0005_operator_keys,
    m0006_bank,
    m0007_views,
    m0008_payment_ways,
    m0009_bank_undo,
    m0010_languages,
    m0011_moving_in,
    m0012_payment_details,
    m0013_witnesses,
    m0014_kept_contributions,
    m0015_open_disputes,
    m0016_kept_matches,
    m0017_sealed_links,
    m0018_proven_payments,
    m0019_sealed_ballots,
    m0020_ways_in,
    m0021_approvals_in_order,
    m0022_paid_votes,
    m0023_bank_files,
    m0024_tranches,
    m0025_returns,
    m0026_month_ends,
    m0030_returned_emails,
    m0032_news,
    m0033_email_choice,
    m0034_field,
    m0035_announcements,
    m0036_legal_texts,
    m0037_partner_addresses,
    m0038_sample_links,
    m0041_attempts,
)
"""Every step, oldest first; the version of a database is the number of its steps."""

SCHEMA_VERSION = len(STEPS)

APPEND_ONLY = tuple(dict.fromkeys(table for step in STEPS for table in step.APPEND_ONLY))
"""Tables that refuse UPDATE and DELETE: history is corrected, never rewritten."""


def name_of(step: SchemaStep) -> str:
    """Return the name under which a database records a step."""
    return step.__name__.rpartition(".")[2]
