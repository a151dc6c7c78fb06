"""The impact report, and the traces of contributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from jara.domain.reports.impact import ImpactReport
from jara.domain.reports.parts import ReportPeriod
from jara.domain.reports.statement import Statement
from jara.services.reports.sample_trace import SampleTrace


@dataclass(frozen=True, kw_only=True)
class PublishedReport(ImpactReport):
    """What the organisation received, spent, decided and achieved, and the other reports."""

    is_over: bool
    archive: tuple[ReportPeriod, ...]


@dataclass(frozen=True, kw_only=True)
class MemberTrace(Statement):
    """Where a member's money went."""

    received_cents: int


class TraceAnswer(NamedTuple):
    """The trace of one spent contribution, if there is one."""

    trace: SampleTrace | None
