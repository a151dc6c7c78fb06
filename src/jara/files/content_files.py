"""Content as YAML or JSON: one document for each item, easy to edit."""

import json
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import yaml

from jara.documents import json_text
from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY, PER_CENT
from jara.domain.content.translations import language_of
from jara.domain.currency import books_currency, symbol_of
from jara.domain.errors import InvalidInput
from jara.domain.giving.pledge import PLEDGE_DOLLARS_MIN
from jara.domain.language import ENGLISH, Language
from jara.domain.money import format_dollars
from jara.domain.texts import value
from jara.domain.voting.tally import (
    DEFAULT_RULE,
    VoteRule,
    absent_words,
    passes_words,
    threshold_words,
)
from jara.files.html import clean_document
from jara.languages import translated_languages, writer_of

FILE_BYTES_MAX = 16 << 20
"""Far more than any list of content needs."""

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_TRUTH = re.compile(r"(?:true|false)\Z")

Document = dict[str, Any]

_OF_VOTES = ("threshold", "rule", "absent")
_NAMES = "|".join(("symbol", "minimum", *_OF_VOTES, *DEFAULT_POLICY.weights, "overhead"))
_PLACEHOLDER = re.compile(rf"\{{({_NAMES})\}}".encode())
_MARKED = re.compile(f"\ue000({_NAMES})\ue001")
"""Between characters for private use: YAML would read braces as a mapping."""


def read_content(data: bytes, name: str, rule: VoteRule = DEFAULT_RULE) -> list[Document]:
    """Read one document, or a list of them; their HTML is cleaned on the way in.

    Placeholders of `rule_texts`, such as ``{minimum}``, are filled in as the language of their
    text writes them; `rule` is the vote rule that they quote.

    Raises:
        InvalidInput: the file is neither YAML nor JSON, or holds something else.
    """
    value = read_document(_PLACEHOLDER.sub("\ue000\\1\ue001".encode(), data), name)
    documents: list[Any] = value if isinstance(value, list) else [] if value is None else [value]
    for place, document in enumerate(documents, start=1):
        if not isinstance(document, dict) or not all(isinstance(key, str) for key in document):
            raise InvalidInput(f"{name}, item {place}: it is not a document with keys and values.")
    try:
        filled = (_fill(one, language_of(one), rule) for one in documents)
        return [clean_document(document) for document in filled]
    except RecursionError:
        raise InvalidInput(f"{name} is nested too deeply.") from None


def rule_texts(language: Language = ENGLISH, rule: VoteRule = DEFAULT_RULE) -> dict[str, str]:
    """Return the rules that content may quote, by placeholder, as a language writes them."""
    weights, write = DEFAULT_POLICY.weights, writer_of(language, "reports")
    shares = {fund.value: weight for fund, weight in weights.items()}
    shares["overhead"] = PER_CENT - weights[Fund.PROJECTS]
    return {
        "symbol": write(value(symbol_of(books_currency()), "currency_sign")),
        "minimum": write(format_dollars(PLEDGE_DOLLARS_MIN * 100)),
        "threshold": write(threshold_words(rule)),
        "rule": write(passes_words(rule)),
        "absent": write(absent_words(rule)),
        **{
            name: write(value(f"{weight}%", "percent_of", str(weight)))
            for name, weight in shares.items()
        },
    }


def _fill(value: Any, language: str, rule: VoteRule) -> Any:  # noqa: ANN401 - a value of a document
    """Return a value with its rules filled in; texts under the code of a language are in it."""
    if isinstance(value, str):
        return _MARKED.sub(lambda mark: rule_texts(Language(language), rule)[mark[1]], value)
    if isinstance(value, list):
        return [_fill(part, language, rule) for part in value]
    if isinstance(value, dict):
        return {
            key: _fill(part, key if key in translated_languages() else language, rule)
            for key, part in value.items()
        }
    return value


def read_document(data: bytes, name: str) -> object:
    """Read a YAML or JSON file without guessing types.

    Days and decimals stay text. Duplicate keys are refused, and so are YAML references,
    which can expand a small file enormously.

    Raises:
        InvalidInput: the file is neither YAML nor JSON.
    """
    if len(data) > FILE_BYTES_MAX:
        raise InvalidInput(f"{name} has {len(data)} bytes; such a file has at most 16 MiB.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        byte = error.object[error.start]
        raise InvalidInput(f"{name}, line {line}: byte 0x{byte:02x} is not UTF-8.") from None
    return _parse(text, name)


def write_yaml(documents: Iterable[Mapping[str, Any]]) -> bytes:
    """Write documents for people to read and edit; reading them back gives the same documents."""
    listed = [dict(document) for document in documents]
    text: str = yaml.dump(
        listed, Dumper=_ContentDumper, allow_unicode=True, sort_keys=False, width=100
    )
    # Only items begin at the margin; an empty line before each helps readers.
    return text.replace("\n- ", "\n\n- ").encode()


def write_json(documents: Iterable[Mapping[str, Any]]) -> bytes:
    """Write documents as one JSON list."""
    listed = [dict(document) for document in documents]
    return (json_text(listed, indent=2) + "\n").encode()


def _parse(text: str, name: str) -> object:
    try:
        if text.lstrip()[:1] in {"{", "["}:
            return json.loads(
                text,
                parse_float=str,
                parse_constant=_refuse_constant,
                object_pairs_hook=_make_document,
            )
        _refuse_references(text)
        return yaml.load(text, Loader=_ContentLoader)  # noqa: S506 - a safe loader, see below
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{name}, line {error.lineno}: not JSON ({error.msg}).") from None
    except RecursionError:
        raise InvalidInput(f"{name} is nested too deeply.") from None
    except InvalidInput as error:
        raise InvalidInput(f"{name}: {error.message}") from None
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        last = text.count("\n")  # libyaml counts one line more at the end of a file
        place = "" if mark is None else f", line {min(mark.line, last) + 1}"
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise InvalidInput(f"{name}{place}: not YAML ({problem}).") from None


def _refuse_references(text: str) -> None:
    for event in yaml.parse(text, Loader=_ContentLoader):
        if isinstance(event, yaml.AliasEvent):
            raise yaml.MarkedYAMLError(
                problem="references such as *name are not read",
                problem_mark=event.start_mark,  # type: ignore[arg-type] # libyaml's own class
            )


def _refuse_constant(word: str) -> object:
    raise InvalidInput(f"'{word}' is not a number that a document can contain.")


def _make_document(pairs: Sequence[tuple[str, Any]]) -> Document:
    document = dict(pairs)
    if len(document) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InvalidInput(f"the key '{twice}' is twice in one item.")
    return document


# libyaml is eight times faster; a PyYAML that was built without it still works.
_SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _ContentLoader(_SafeLoader):  # type: ignore[misc, valid-type] # chosen at run time
    """A stricter safe loader: no duplicate keys, and days stay text."""

    def construct_mapping(
        self,
        node: yaml.MappingNode,
        deep: bool = False,  # noqa: FBT001, FBT002 - PyYAML's own signature
    ) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key_node, _ in node.value:
            key = str(getattr(key_node, "value", key_node))
            if key in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key '{key}' is twice in one item",
                    problem_mark=key_node.start_mark,
                )
            seen.add(key)
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep=deep)
        return mapping


# YAML 1.1 reads `no` (also Norway's code) as false, `010` as 8 and `1:30` as 90. Here only
# plain whole numbers, true and false are special; everything else stays text.
_KEPT_TAGS = {"tag:yaml.org,2002:null", "tag:yaml.org,2002:merge", "tag:yaml.org,2002:value"}
_ContentLoader.yaml_implicit_resolvers = {
    sign: [(tag, pattern) for tag, pattern in resolvers if tag in _KEPT_TAGS]
    for sign, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_ContentLoader.add_implicit_resolver("tag:yaml.org,2002:int", _WHOLE, list("-0123456789"))
_ContentLoader.add_implicit_resolver("tag:yaml.org,2002:bool", _TRUTH, list("tf"))


class _ContentDumper(yaml.SafeDumper):
    """Writes texts with line breaks as blocks, lists indented as in data/, and no anchors."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - PyYAML's own signature
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - PyYAML's own signature
        return True


def _show_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # A block that ends with empty lines would absorb what follows.
    style = "|" if "\n" in text and not text.endswith("\n") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_ContentDumper.add_representer(str, _show_text)
