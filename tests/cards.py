"""Tests in an organisation without cards: ``JARA_TEST_WITHOUT_CARDS=1 pytest tests/services``.

Every organisation of the tests is then a live one that takes no cards, and who joins through the
website promises and pays. A failing test is left out if something was refused to it for want of
cards or of a sandbox, if its name says that it is about one, or if it is listed here. Where the
program itself asks a provider, it fails.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jara.domain.errors import Conflict, NoCards
from jara.payments import no_cards

HERE = Path(__file__).parent
SWITCH = "JARA_TEST_WITHOUT_CARDS"
IS_WITHOUT_CARDS = os.environ.get(SWITCH) == "1"
"""Whether every organisation of the tests is a live one that takes no cards."""

ABOUT_CARDS = (
    "cli/test_votes.py::test_cast_",
    "cli/test_votes.py::test_check_answers_with_the_exit_status",
    "cli/operations/test_beginning.py::test_doctor_names_every_setting_and_hides_secrets",
    "cli/operations/test_serve_in_the_open.py::test_the_log_says_it_once",
    "cli/test_situations.py::test_a_message_is_followed_to_its_end[organisation set --{} {}]",
    "cli/test_situations.py::test_a_message_is_followed_to_its_end[samples load]",
    "services/members/test_limit_attacks.py::test_declined_cards_of_everybody_have_a_ceiling",
    "services/notices/test_emails.py::test_every_payment_of_a_member_has_a_receipt",
    "services/operations/test_diagnosis.py::test_a_correct_installation_has_no_findings",
    "services/operations/test_diagnosis.py::test_a_missing_or_old_backup_is_named",
    "services/operations/test_diagnosis.py::test_live_payments_need_https_and_mail",
    "services/operations/test_diagnosis.py::test_the_environment_is_inspected[sqlite-changes4",
    "services/operations/test_diagnosis_books.py::test_a_clock_before_the_books_is_named",
    "services/operations/test_diagnosis_books.py::test_two_operators_without_limits_are_told_each_day",
    "services/operations/test_payment_account.py",
    "services/operations/test_ways_in.py::test_without_keys_it_is_as_before",
    "services/payments/test_events.py::test_an_event_of_another_mode_or_account_is_refused",
    "webapi/server/test_program.py::test_the_server_and_the_command_refuse_alike",
    "webapi/test_answer_languages.py::test_a_change_is_confirmed_in_the_language_of_the_reader",
    "webapi/test_authorisation.py::test_every_route_is_in_the_matrix",
    "webapi/test_bad_values.py::test_a_request_with_a_bad_value_changes_nothing",
    "webapi/test_costs.py::test_each_route_is_in_one_row_of_the_list_of_costs",
    "webapi/test_desk_calls.py::test_no_members_token_opens_the_desk_and_no_desk_opens_an_account",
    "webapi/test_answer_languages.py::test_a_sentence_without_translation_gets_a_general_text",
    "webapi/test_further_account_calls.py::test_a_pledge_is_paused_skipped_moved_and_ended",
    "webapi/test_further_account_calls.py::test_the_kinds_of_email_are_served_in_the_readers",
    "webapi/test_further_calls.py::test_config_has_the_public_settings_and_no_secret",
    "webapi/test_further_calls.py::test_transactions_are_found_by_other_words",
    "webapi/test_methods.py::test_a_wrong_field_is_named",
    "webapi/test_nothing_inside.py::test_no_failure_shows_the_inside[sqlite-move_away",
    "webapi/test_nothing_inside.py::test_no_page_shows_the_inside[sqlite-move_away",
    "webapi/test_openapi.py::test_the_document_holds_every_call",
    "webapi/test_promises.py::test_no_other_way_to_pay_is_offered_before_one_is_set",
    "webapi/test_specified_account_calls.py::test_an_account_that_the_provider_cannot_cancel_stays",
    "webapi/test_specified_account_calls.py::test_the_amount_is_changed_from_the_next_charge_on",
    "webapi/test_specified_calls.py::test_published_figures_come_from_ledger_and_pledges",
)
"""These files and tests may fail, though nothing is refused to them.

They are about cards or a sandbox, or make organisations with settings of their own.
"""

_refusals: list[str] = []
"""What was refused to the running test."""


def begin_test() -> None:
    """Forget what was refused to the test before."""
    _refusals.clear()


def noting_refusals(begin: Callable[..., None]) -> Callable[..., None]:
    """Return the constructor of `Conflict`, which notes what this is about."""

    def noting(self: Conflict, message: str, **more: Any) -> None:
        begin(self, message, **more)
        if "sandbox" in message or (isinstance(self, NoCards) and not _is_asked_by_program()):
            _refusals.append(message)

    return noting


def _is_asked_by_program() -> bool:
    """Return whether the program asks a provider, which no test and no use case of cards did."""
    at_provider, asker = sys._getframe(2), sys._getframe(3)
    is_call = at_provider.f_code.co_filename == no_cards.__file__
    return is_call and not Path(asker.f_code.co_filename).is_relative_to(HERE)


def is_left_out(path: Path, name: str, error: BaseException) -> bool:
    """Return whether a test that failed is one that needs cards or a sandbox."""
    test = f"{path.relative_to(HERE).as_posix()}::{name}"
    is_about = "sandbox" in test or "stripe" in test.lower() or test.startswith(ABOUT_CARDS)
    return bool(_refusals) or _is_refused(error) or is_about


def _is_refused(error: BaseException | None) -> bool:
    """Return whether an error comes of a refusal, also one of a fixture that other tests share."""
    while error is not None:
        if isinstance(error, NoCards):
            return True
        error = error.__cause__ or error.__context__
    return False
