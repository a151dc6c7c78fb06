"""Announcements in files: what is read from them, and what is refused with a sentence."""

import pytest

from jara.domain.announcement import AnnouncementText
from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, Language
from jara.files.announcement_file import read_announcement

FRENCH = Language("fr")
BOTH = (ENGLISH, FRENCH)

IN_TWO_LANGUAGES = """\
---
subject: The well is full
fr:
  subject: Le puits est plein
  body: |
    Chers **amis**,
---
Dear **friends**,
"""


@pytest.mark.parametrize(
    "text",
    [
        "# The well is full\n\nDear friends",
        "\ufeff# The well is full #\r\n\r\nDear friends\r\n",
        "The well is full\n================\n\nDear friends",
        "---\nsubject: The well is full\n---\nDear friends",
        "---\n---\n# The well is full\nDear friends",
    ],
)
def test_a_title_or_the_front_matter_is_the_subject(text: str) -> None:
    """Each form is read alike, whatever the editor wrote around it."""
    texts = read_announcement(text.encode(), "news.md", BOTH)

    assert texts == {ENGLISH: AnnouncementText("The well is full", "Dear friends")}


def test_a_file_may_have_several_languages() -> None:
    """The own text comes first; the others stand in the front matter."""
    texts = read_announcement(IN_TWO_LANGUAGES.encode(), "news.md", BOTH)

    assert list(texts.items()) == [
        (ENGLISH, AnnouncementText("The well is full", "Dear **friends**,")),
        (FRENCH, AnnouncementText("Le puits est plein", "Chers **amis**,")),
    ]


def test_a_file_may_be_in_another_language() -> None:
    """Its own language is said in the front matter."""
    texts = read_announcement(b"---\nlanguage: fr\n---\n# Bonjour\n\nAmis", "news.md", BOTH)

    assert texts == {FRENCH: AnnouncementText("Bonjour", "Amis")}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "news.md: The text 'en' has no subject; begin the file with '# ' and a title."),
        (b"\xef\xbb\xbf \n", "news.md: The text 'en' has no subject; begin the file with "),
        (b"Only text", "news.md: The text 'en' has no subject; begin the file with '# ' and"),
        (b"## Second\n\nText", "news.md: The text 'en' has no subject;"),
        (b"# Title\n \n", "news.md: The text 'en' is empty below its subject."),
        (b"# T\n\nCaf\xe9", "news.md, line 3: byte 0xe9 is not UTF-8; save the file as UTF-8"),
        (b"\xff\xfe#\x00", "news.md, line 1: byte 0xff is not UTF-8;"),
        (b"# T\n\n<script>x()</script>", "news.md: The text 'en': It holds HTML, '<script>"),
        (b"# T\n\nA <b>b</b>", "news.md: The text 'en': It holds HTML, '<b>'; write Markdown"),
        (b"# T\n\n[a](javascript:x)", "news.md: The text 'en': It links to 'javascript:x'; "),
        (b"# T\n\n[a](//evil.example)", "news.md: The text 'en': It links to '//evil.example'"),
        (b"# T\n\n![a](data:image/png,x)", "news.md: The text 'en': It links to 'data:image"),
        (b'---\nsubject: "A\\nBcc: b@c.example"\n---\nx', "news.md: The text 'en': the subject"),
        ("# A\u2028Bcc: b@c.example\n\nx".encode(), "news.md: The text 'en': the subject must"),
        (b'---\nsubject: "A\\rBcc: b@c.example"\n---\nx', "news.md: The text 'en': the subject"),
        (b"# " + b"long " * 40 + b"\n\nx", "news.md: The text 'en': the subject has 199 char"),
        (b"# T\n\n" + b"word " * 5000, "news.md: The text 'en' has 25001 characters; mail"),
        (b"---\nsubjct: x\n---\nx", "news.md has the key 'subjct'; the keys are language,"),
        (b"---\nde: x\n---\n# x\n\nx", "news.md has the key 'de'; the keys are language, subj"),
        (b"---\nsubject: [x]\n---\nx", "news.md: 'subject' must be text."),
        (b"---\nlanguage: de\n---\n# x\n\nx", "news.md: there are no emails in 'de'; the lang"),
        (b"---\nfr: x\n---\n# x\n\nx", "news.md: 'fr' must have the keys subject and body."),
        (b"---\nen: {}\n---\n# x\n\nx", "news.md has two texts in 'en'."),
        (b"---\n- x\n---\n# x\n\nx", "news.md: the front matter must have keys and values."),
    ],
)
def test_texts_that_no_email_can_contain_are_refused(data: bytes, sentence: str) -> None:
    """The message names the file, the text, and the rule."""
    with pytest.raises(InvalidInput) as refused:
        read_announcement(data, "news.md", BOTH)

    assert refused.value.message[: len(sentence)] == sentence


def test_a_file_of_any_size_is_no_announcement() -> None:
    """A file of another kind is refused before it is read."""
    with pytest.raises(InvalidInput, match="an announcement has at most 1 MiB"):
        read_announcement(b"x" * (1 << 20) + b"x", "news.md", BOTH)
