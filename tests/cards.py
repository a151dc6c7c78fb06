"""Tests in an organisation without cards: ``JARA_TEST_WITHOUT_CARDS=1 pytest tests/services``.

Every organisation of the tests is then a live one that takes no cards. A test is left out only if
it is listed here; any other that asks for a provider of cards fails.
"""

from __future__ import annotations

import os
from pathlib import Path

from jara.domain.errors import NoCards

HERE = Path(__file__).parent

PAY_BY_CARD = (
    "cli/ledger/test_report.py",
    "services/ballots/test_electorate.py",
    "services/ballots/test_one_place.py",
    "services/ballots/test_paid_votes.py",
    "services/books/test_transactions.py",
    "services/books/test_verification.py",
    "services/content/test_kinds.py",
    "services/giving/test_failed_charge.py",
    "services/giving/test_gifts.py",
    "services/giving/test_joining.py",
    "services/giving/test_joining_cut_off.py",
    "services/giving/test_pledge_changes.py",
    "services/giving/test_pledging.py",
    "services/giving/test_raised_minimum.py",
    "services/giving/test_registration.py",
    "services/giving/test_stop_link.py",
    "services/members/test_accounts.py",
    "services/members/test_addresses.py",
    "services/members/test_editing.py",
    "services/members/test_stolen_copies.py",
    "services/members/test_taken_votes.py",
    "services/members/test_undoing.py",
    "services/members/test_voting_until.py",
    "services/notices/test_refund_emails.py",
    "services/operations/test_away_for_a_month.py",
    "services/operations/test_control_kills.py",
    "services/operations/test_daily_run.py",
    "services/operations/test_missing_limits.py",
    "services/operations/test_money_alone.py",
    "services/operations/test_retention.py",
    "services/operations/test_seals.py",
    "services/operations/test_start_page.py",
    "services/payments/test_disputes.py",
    "services/payments/test_event_retries.py",
    "services/payments/test_events.py",
    "services/payments/test_listing.py",
    "services/payments/test_promising.py",
    "services/payments/test_receiving.py",
    "services/payments/test_reconciling.py",
    "services/payments/test_refunding.py",
    "services/payments/test_reversed_payments.py",
    "services/payments/test_standing.py",
    "services/payments/test_standing_model.py",
    "services/projects/test_paying_abroad.py",
    "services/reports/test_impact.py",
    "services/reports/test_report_cases.py",
    "services/reports/test_statement_sums.py",
    "services/reports/test_statements.py",
    "services/reports/test_yearly_funds.py",
    "services/samples/test_bank_year.py",
    "services/test_time_zone.py",
)
"""In these files some people pay by card: such a test ends with `NoCards`, and is left out."""

IN_A_SANDBOX = (
    "cli/ledger/test_ledger.py::test_reconcile_names_missing_movements_and_a_year_closes",
    "cli/test_deaths.py::test_a_pledge_by_card_ends_at_the_provider",
    "cli/test_members.py::test_a_member_is_shown_with_payments_and_emails",
    "cli/test_members.py::test_an_export_holds_everything_about_a_member",
    "cli/test_members.py::test_members_can_be_searched_by_name_country_and_state",
    "cli/test_payment_ways.py::test_a_year_of_statements_is_written",
    "cli/test_votes.py::test_a_vote_is_over_at_its_end_without_a_daily_run",
    "cli/test_votes.py::test_cast_",
    "cli/test_votes.py::test_check_answers_with_the_exit_status",
    "services/ballots/test_ghost_members.py::test_an_operator_confirms_in_a_sandbox_only",
    "services/members/test_limit_attacks.py::test_declined_cards_of_everybody_have_a_ceiling",
    "services/notices/test_emails.py::test_every_payment_of_a_member_has_a_receipt",
    "services/operations/test_diagnosis.py::test_a_correct_installation_has_no_findings",
    "services/operations/test_diagnosis.py::test_a_missing_or_old_backup_is_named",
    "services/operations/test_diagnosis.py::test_live_payments_need_https_and_mail",
    "services/operations/test_diagnosis.py::test_the_environment_is_inspected[sqlite-changes4",
    "services/operations/test_diagnosis_books.py::test_a_clock_before_the_books_is_named",
    "services/operations/test_handing_over.py::test_mailboxes_of_the_person_are_named",
    "services/operations/test_missing_limits.py::test_two_operators_without_limits_are_told_each_day",
    "services/operations/test_payment_account.py",
    "services/operations/test_ways_in.py::test_without_keys_it_is_as_before",
    "services/payments/test_events.py::test_an_event_of_another_mode_or_account_is_refused",
    "services/samples/",
)
"""These files and tests are about a sandbox: its cards, its samples, what only it may do."""


def is_without_cards() -> bool:
    """Return whether every organisation of the tests is a live one that takes no cards."""
    return os.environ.get("JARA_TEST_WITHOUT_CARDS") == "1"


def is_left_out(path: Path, name: str, error: BaseException) -> bool:
    """Return whether a test that failed is one that needs cards."""
    file = path.relative_to(HERE).as_posix()
    if any(f"{file}::{name}".startswith(one) for one in IN_A_SANDBOX):
        return True
    return file in PAY_BY_CARD and _is_refused(error)


def _is_refused(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, NoCards):
            return True
        error = error.__cause__ or error.__context__
    return False
