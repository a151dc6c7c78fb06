"""The sample content is whole in French."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest

from jara.domain.content.fields import Field, Form
from jara.domain.content.kinds import KINDS, PROPOSAL
from jara.domain.content.translations import ORIGINAL, in_language, text_fields
from jara.domain.language import Language
from tests.services.samples.demonstration_stage_setup import demo_files

FRENCH = Language("fr")
SAME_IN_FRENCH = {"4"}
FILES = demo_files()
DOCUMENTS: list[tuple[tuple[Field, ...], Mapping[str, Any]]] = [
    *((KINDS[kind].fields, one) for kind, listed in FILES.seed.content.items() for one in listed),
    *((PROPOSAL.fields, one) for one in (*FILES.seed.proposals, *FILES.past_proposals)),
]


@pytest.mark.parametrize(
    ("fields", "document"), DOCUMENTS, ids=[one.get("id", one.get("title")) for _, one in DOCUMENTS]
)
def test_every_text_has_its_french(fields: tuple[Field, ...], document: Mapping[str, Any]) -> None:
    """A reader of French gets no sample text in English."""
    assert list(untranslated(fields, in_language(fields, document, FRENCH))) == []


def untranslated(fields: Iterable[Field], shown: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts that a reader gets in their original language."""
    for field in text_fields(fields):
        value = shown.get(field.name)
        if field.form is Form.ITEMS:
            for item in value or []:
                yield from untranslated(field.fields, item)
        elif value and field.is_translatable and field.name not in shown.get(ORIGINAL, {}):
            yield from {str(value)} - SAME_IN_FRENCH
