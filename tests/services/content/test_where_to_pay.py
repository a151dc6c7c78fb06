"""With limits, nobody alone tells visitors of the site where to send money."""

from dataclasses import replace

import pytest

from jara.domain.errors import Conflict, Refused
from jara.records.content import ContentItem
from jara.records.operations import Approval
from jara.services import approvals, content
from jara.services.content import add_item, edit_item, import_items, publish_item, show_item
from jara.services.context import Context
from jara.services.operations.approved_acts import show_approval
from tests.fakes.operators import acting, approve_as, enrol, waits

FAQ = {"id": "how", "question": "How can I give?", "answer": "On this site."}
PAYING = "Send it to DE89 3704 0044 0532 0130 00."


@pytest.fixture
def governed(context: Context) -> Context:
    """An organisation with a limit on what one operator may do alone."""
    return replace(context, rules=context.rules._replace(approval_cents=10_000))


def asked(context: Context) -> Approval:
    """Ask to show a text with an account number."""
    add_item(context, "faqs", FAQ, published=True)
    return waits(edit_item(context, "faqs", "how", {"answer": PAYING}))


def approve(context: Context, waiting: Approval) -> None:
    """Approve as another operator."""
    second = replace(context, operator="second")
    approvals.approve(second, waiting.id, handlers=content.HANDLERS)


def test_a_shown_text_with_an_account_number_waits_for_another_operator(governed: Context) -> None:
    """The other one sees both texts; until then visitors read the old one."""
    waiting = asked(governed)
    assert show_item(governed, "faqs", "how").doc["answer"] == FAQ["answer"]
    shown = show_approval(governed, waiting.id)["payload"]
    assert (shown["before"]["answer"], shown["document"]["answer"]) == (FAQ["answer"], PAYING)

    approve(governed, waiting)
    assert show_item(governed, "faqs", "how").doc["answer"] == PAYING
    assert isinstance(
        edit_item(governed, "faqs", "how", {"question": "How?"}), ContentItem
    )  # the account was signed already


def test_a_hidden_text_waits_when_it_is_published(governed: Context) -> None:
    """Drafts are free; so are texts in an organisation without limits."""
    assert isinstance(add_item(governed, "faqs", {**FAQ, "answer": PAYING}), ContentItem)
    assert isinstance(publish_item(governed, "faqs", "how"), Approval)
    ungoverned = replace(governed, rules=governed.rules._replace(approval_cents=None))
    assert isinstance(publish_item(ungoverned, "faqs", "how"), ContentItem)


def test_a_translation_waits_too(governed: Context) -> None:
    """Each language is read by somebody."""
    add_item(governed, "faqs", FAQ, published=True)
    french = {"fr": {"question": "Comment ?", "answer": PAYING}}
    assert isinstance(edit_item(governed, "faqs", "how", french), Approval)


def test_a_file_is_refused_and_names_the_item(governed: Context) -> None:
    """An import is all or nothing, so no item of it can wait."""
    with pytest.raises(Conflict, match="'how' says where to send money"):
        import_items(governed, "faqs", [{**FAQ, "answer": PAYING}])


def test_an_approved_text_does_not_undo_a_later_change(governed: Context) -> None:
    """It was prepared from another text than the one of now."""
    waiting = asked(governed)
    edit_item(governed, "faqs", "how", {"question": "How?"})

    with pytest.raises(Conflict, match="'how' was changed since"):
        approve(governed, waiting)
    assert approvals.list_approvals(governed) == []  # it can never be carried out
    (failed,) = governed.store.read_once().operations.audit(action="approvals.fail")
    assert (failed.subject, failed.why) == (waiting.id, "The question 'how' was changed since.")


def test_an_editors_signature_does_not_count(governed: Context) -> None:
    """An admin publishes what an editor wrote, and another operator signs it."""
    enrol(governed, ada="admin", ben="approver", eve="editor")
    eve = acting(governed, "eve")
    assert isinstance(add_item(eve, "faqs", {**FAQ, "answer": PAYING}), ContentItem)
    with pytest.raises(Refused, match="'eve' has the role editor"):
        publish_item(acting(governed, "eve"), "faqs", "how")

    waiting = waits(publish_item(acting(governed, "ada"), "faqs", "how"))
    approve_as(governed, waiting, "ben")
    assert show_item(governed, "faqs", "how").published
