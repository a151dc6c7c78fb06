"""Proposals as YAML or JSON, with the keys of spec §3 (contract, 'Files')."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from jara.domain.errors import InvalidInput
from jara.files.html import clean_document

FILE_BYTES_MAX = 16 << 20
"""Far more than any list of proposals; a larger file is something else."""


def read_documents(data: bytes, name: str) -> list[dict[str, Any]]:
    """Read one document, or a list of them; their HTML is cleaned on the way in.

    Dates and decimals stay the texts they are written as, so that no amount of money
    is ever a float.

    Raises:
        InvalidInput: the file is neither YAML nor JSON, or holds something else.
    """
    if len(data) > FILE_BYTES_MAX:
        raise InvalidInput(f"{name} has {len(data)} bytes; such a file is at most 16 MiB.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{name}: byte {error.start} is not UTF-8.") from None
    value = _parse(text, name)
    cleaned: list[dict[str, Any]] = []
    for place, document in enumerate(value if isinstance(value, list) else [value], start=1):
        if not isinstance(document, dict):
            raise InvalidInput(f"{name}: item {place} is no document with keys and values.")
        cleaned.append(clean_document(document))
    return cleaned


def write_yaml(documents: Iterable[Mapping[str, Any]]) -> bytes:
    """Write documents for people to read and edit; read again they are the same."""
    import yaml

    text: str = yaml.dump(
        [dict(document) for document in documents],
        Dumper=_dumper(),
        allow_unicode=True,
        sort_keys=False,
        width=100,
    )
    return text.encode("utf-8")


def write_json(documents: Iterable[Mapping[str, Any]]) -> bytes:
    """Write documents as one JSON list."""
    listed = [dict(document) for document in documents]
    return (json.dumps(listed, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def _parse(text: str, name: str) -> object:
    import yaml

    try:
        if text.lstrip()[:1] in {"{", "["}:
            value: object = json.loads(text, parse_float=str, parse_constant=_refuse_constant)
            return value
        return yaml.load(text, Loader=_loader())  # noqa: S506 - a safe loader, see below
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{name}, line {error.lineno}: no JSON ({error.msg}).") from None
    except RecursionError:
        raise InvalidInput(f"{name} is nested too deeply.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = "" if mark is None else f", line {mark.line + 1}"
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise InvalidInput(f"{name}{place}: no YAML ({problem}).") from None


def _refuse_constant(word: str) -> object:
    raise InvalidInput(f"'{word}' is no number that a proposal could hold.")


@lru_cache(maxsize=1)
def _loader() -> Any:  # noqa: ANN401 - a class of PyYAML
    """Return the safe loader without its dates and floats: they stay texts."""
    import yaml

    class TextLoader(yaml.SafeLoader):
        """Reads plain scalars as texts, whole numbers, booleans and nulls alone."""

    dropped = {"tag:yaml.org,2002:float", "tag:yaml.org,2002:timestamp"}
    TextLoader.yaml_implicit_resolvers = {
        sign: [(tag, pattern) for tag, pattern in resolvers if tag not in dropped]
        for sign, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    return TextLoader


@lru_cache(maxsize=1)
def _dumper() -> Any:  # noqa: ANN401 - a class of PyYAML
    """Return a safe dumper that writes texts of several lines as they read."""
    import yaml

    class BlockDumper(yaml.SafeDumper):
        """Writes a text with line breaks as a block."""

    def show_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        style = "|" if "\n" in text else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    BlockDumper.add_representer(str, show_text)
    return BlockDumper
