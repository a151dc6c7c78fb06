"""The organisation's own name, address, contact, colour and logo."""

from pathlib import Path

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.organisation import Identity, IdentityPart, Logo
from jara.records.operations import AuditRow
from jara.services.context import Context, Rules
from jara.services.legal.changing import change_values
from jara.services.operations.start_page import read_start_page
from jara.services.operations.upkeep import upgrade
from jara.services.organisation import identity_of, show_identity
from jara.store.seals import SEALS_DUE
from tests.fakes.operators import enrol
from tests.harness import make_organisation


def last_act(context: Context) -> AuditRow:
    """Return the newest row of the audit log."""
    return context.store.read_once().operations.audit(subject="organisation")[-1]


def test_settings_of_an_earlier_version_become_values(context: Context) -> None:
    """An upgrade takes over what is valid and not set yet, and records it."""
    change_values(context, {IdentityPart.CONTACT: "desk@jara.example"})
    retired = {
        "address": "1 Main\nStreet",
        "contact": "old@jara.example",
        "chat": "http://chat.example",
    }

    upgrade(context, retired)

    identity, values = show_identity(context)
    assert (identity.address, identity.contact) == ("1 Main Street", "desk@jara.example")
    assert IdentityPart.CHAT not in values
    assert last_act(context).after == {"address": "1 Main Street"}


@pytest.mark.parametrize("control", ["limits", "keys"])
def test_only_the_upgrade_from_0_2_0_takes_settings_over(place: Path, control: str) -> None:
    """Whoever starts `jara migrate` with variables of their own decides nothing."""
    context = make_organisation(
        place, rules=Rules(approval_cents=1000 if control == "limits" else None)
    )
    if control == "keys":
        enrol(context, ada="admin", ben="admin")
    given = {"contact": "pay@mallory.example", "site-url": "https://mallory.example"}

    upgrade(context, given)
    assert show_identity(context)[1] == {}

    with context.store.write() as work:
        work.meta.put(SEALS_DUE, "1")  # as its first step leaves it
    upgrade(context, given)
    assert show_identity(context)[1] == {
        IdentityPart.CONTACT: "pay@mallory.example",
        IdentityPart.SITE_URL: "https://mallory.example",
    }


def test_values_that_are_not_set_again_stay(context: Context) -> None:
    """A change leaves the values that it does not name."""
    change_values(
        context, {IdentityPart.NAME: " Sankofa ", IdentityPart.CONTACT: "Hello@Sankofa.example"}
    )
    change_values(
        context,
        {
            IdentityPart.LEGAL_NAME: "Baobab Inc.",
            IdentityPart.ADDRESS: "12 Harbour Road",
            IdentityPart.COLOUR: "#7A1F3D",
            IdentityPart.LOGO: "/media/ab.svg#240x80",
        },
    )

    assert identity_of(context) == Identity(
        name="Sankofa",
        legal_name="Baobab Inc.",
        address="12 Harbour Road",
        contact="hello@sankofa.example",
        colour="#7a1f3d",
        logo=Logo("/media/ab.svg", 240, 80),
        has_own_words=True,
    )
    assert read_start_page(context).organisation == "Sankofa"


def test_a_part_goes_back_to_its_default(context: Context) -> None:
    """The default is that of the software; the other parts stay."""
    change_values(context, {IdentityPart.NAME: "Sankofa", IdentityPart.ADDRESS: "12 Harbour Road"})

    change_values(context, {}, removed=[IdentityPart.ADDRESS, IdentityPart.COLOUR])
    left = identity_of(context)
    change_values(context, {}, removed=[IdentityPart.NAME])

    assert (left.name, left.address) == ("Sankofa", "")
    assert identity_of(context).name == "Jara"


def test_both_acts_are_audited_with_their_values(context: Context) -> None:
    """The values are public, so the audit log has the old and the new ones."""
    change_values(context, {IdentityPart.NAME: "Sankofa"})
    done = last_act(context)
    change_values(context, {}, removed=[IdentityPart.NAME])
    undone = last_act(context)

    assert (done.action, dict(done.before)) == ("organisation.set", {"name": ""})
    assert dict(done.after) == {"changed": ["name"], "name": "Sankofa"}
    assert (undone.action, dict(undone.before)) == ("organisation.unset", {"name": "Sankofa"})


def test_a_change_counts_as_a_change_of_the_site(context: Context) -> None:
    """Caches for visitors are renewed."""
    before = context.store.public_revision()

    change_values(context, {IdentityPart.COLOUR: "#7a1f3d"})

    assert context.store.public_revision() != before


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (IdentityPart.NAME, ""),
        (IdentityPart.NAME, "x" * 61),
        (IdentityPart.LEGAL_NAME, "x" * 121),
        (IdentityPart.ADDRESS, "1 Main\nStreet"),
        (IdentityPart.CONTACT, "nobody"),
        (IdentityPart.COLOUR, "#ffffff"),
        (IdentityPart.REFUND_DAYS, "soon"),
        (IdentityPart.REFUND_DAYS, "1"),
        (IdentityPart.REFUND_DAYS, "-30"),
        (IdentityPart.PROVINCE, "x" * 121),
        (IdentityPart.HOSTING, "Cloud\nInc."),
        (IdentityPart.CHAT, "chat.example"),
        (IdentityPart.X, "javascript:alert(1)"),
        (IdentityPart.YOUTUBE, f"https://v.example/{'x' * 300}"),
    ],
)
def test_a_value_that_breaks_its_rule_changes_nothing(
    context: Context, part: IdentityPart, text: str
) -> None:
    """The whole command is refused, including its valid values."""
    with pytest.raises(InvalidInput):
        change_values(context, {IdentityPart.LEGAL_NAME: "Baobab Inc.", part: text})

    assert identity_of(context).legal_name == ""


def test_nothing_to_change_is_refused(context: Context) -> None:
    """The message lists the parts that can be changed."""
    with pytest.raises(InvalidInput, match="--name or --logo"):
        change_values(context, {})
