"""Content files are read strictly, sanitised, and written for people to edit."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.files.content_files import FILE_BYTES_MAX, read_content, write_json, write_yaml
from jara.files.html import clean_document

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
LINES = st.lists(TEXTS, max_size=3).map("\n".join)
VALUES = st.one_of(
    LINES, st.integers(-(10**12), 10**12), st.booleans(), st.none(), st.just("2026-11-30")
)
DOCUMENTS = st.lists(
    st.dictionaries(st.sampled_from(["id", "title", "date", "answer", "list"]), VALUES, min_size=1)
)


@given(DOCUMENTS)
def test_content_files_round_trip(documents: list[dict[str, Any]]) -> None:
    """Reading returns what was written, in YAML and in JSON."""
    assert read_content(write_yaml(documents), "a.yaml") == documents
    assert read_content(write_json(documents), "a.json") == documents


def test_single_and_empty_documents_are_lists() -> None:
    """A file with one item needs no dash, and an empty file has no items."""
    assert read_content(b"id: a\n", "a.yaml") == [{"id": "a"}]
    assert read_content(b"# nothing yet\n", "a.yaml") == []
    assert read_content(b"[]\n", "a.yaml") == []
    assert write_yaml([]) == b"[]\n"


def test_days_and_decimals_stay_texts() -> None:
    """Dates are not shifted and amounts do not become floats."""
    assert read_content(b"date: 2026-11-30\nrate: 1.10\nn: 5\n", "a.yaml") == [
        {"date": "2026-11-30", "rate": "1.10", "n": 5}
    ]
    assert read_content(b'[{"rate": 1.10}]', "a.json") == [{"rate": "1.10"}]


@pytest.mark.parametrize("word", ["no", "Yes", "on", "010", "0x1F", "1_000", "1:30", "1e3", "+5"])
def test_only_plain_numbers_and_truths_are_typed(word: str) -> None:
    """YAML 1.1 would read `no` as false and `010` as 8."""
    assert read_content(f"a: {word}\nn: -5\nz: 0\nt: true\nx: null\n".encode(), "a.yaml") == [
        {"a": word, "n": -5, "z": 0, "t": True, "x": None}
    ]


@pytest.mark.parametrize("key", ["story", "content"])
def test_html_is_cleaned_on_the_way_in(key: str) -> None:
    """HTML is sanitised before it is stored."""
    hostile = '<p onclick="x()">Hi<script>alert(1)</script></p>'
    clean = "<p>Hi</p>"
    parts = {"updates": [{"content": hostile}], "fr": {key: hostile}}
    data = json.dumps([{key: hostile, **parts}]).encode()

    assert read_content(data, "a.json") == [
        {key: clean, "updates": [{"content": clean}], "fr": {key: clean}}
    ]
    assert clean_document({"updates": ["text"]}) == {"updates": ["text"]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"- id: a\n  id: b\n", "bad, line 2: not YAML (the key 'id' is twice in one item)."),
        (b'[{"a": 1, "a": 2}]', "bad: the key 'a' is twice in one item."),
        (b"a: &x [1]\nb: *x\n", "bad, line 2: not YAML (references such as *name are not read)."),
        (b"- 5\n", "bad, item 1: it is not a document with keys and values."),
        (b"5: a\n", "bad, item 1: it is not a document with keys and values."),
        (b"[1, 2", "bad, line 1: not JSON (Expecting ',' delimiter)."),
        (b'[{"a": NaN}]', "bad: 'NaN' is not a number that a document can contain."),
        (b"a: [", "bad, line 1: not YAML (did not find expected node content)."),
        (b"a: !!python/object:os.system x", "bad, line 1: not YAML (could not determine"),
        (b"a: \x01", "bad: not YAML (it cannot be read)."),
        (b"a: b\nc: \xff\xfe", "bad, line 2: byte 0xff is not UTF-8."),
        (b"[" * 100_000, "bad is nested too deeply."),
        (b"? [a]\n: b\n", "bad, line 1: not YAML ("),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_its_place(data: bytes, message: str) -> None:
    """The message names file, line and error."""
    with pytest.raises(InvalidInput) as refused:
        read_content(data, "bad")

    assert str(refused.value).startswith(message)


def test_a_huge_file_is_refused_before_it_is_read() -> None:
    """Content files have kilobytes."""
    with pytest.raises(InvalidInput, match="at most 16 MiB"):
        read_content(b" " * (FILE_BYTES_MAX + 1), "huge")


def test_texts_of_several_lines_read_as_they_stand() -> None:
    """Long texts are written as lines, without escapes."""
    text = write_yaml([{"id": "a", "story": "<p>One</p>\n<p>Two</p>"}, {"id": "b"}]).decode()

    assert text == "- id: a\n  story: |-\n    <p>One</p>\n    <p>Two</p>\n\n- id: b\n"


def test_rules_are_written_as_the_language_of_their_text_writes_them() -> None:
    """The same placeholder is in the form of its text's language, also without quotes."""
    file = b"""
- title: "{minimum} and {projects}"
  amount: {symbol}
  fr: {title: "{minimum} et {projects}", parts: ["{threshold}"]}
- {language: fr, title: "{minimum}", en: {title: "{minimum}"}}
"""
    first, second = read_content(file, "faqs.yaml")

    assert first == {
        "title": "$5 and 80%",
        "amount": "$",
        "fr": {"title": "5\xa0$\xa0US et 80\xa0%", "parts": ["50\xa0%"]},
    }
    assert second["title"] == "5\xa0$\xa0US"
