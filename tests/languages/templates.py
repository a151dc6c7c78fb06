"""Finds the templates of texts in code, and whether a catalogue has them."""

import ast
import re
from collections.abc import Collection, Iterator


def templates(text: ast.expr) -> Iterator[str]:
    """Yield the sentences in an expression, with ``{}`` for each part that code chooses.

    The template of a text with values is the first argument of its call.
    """
    match text:
        case ast.Constant(value=str(sentence)) if " " in sentence:
            yield sentence
        case ast.JoinedStr(values=parts):
            chosen = [p.value if isinstance(p, ast.Constant) else "{}" for p in parts]
            sentence = "".join(str(part) for part in chosen)
            if re.search("[a-z] ", sentence):
                yield sentence
        case ast.Call(func=ast.Name(id="tr"), args=[template]):
            yield from templates(template)
        case ast.IfExp(body=body, orelse=other):
            yield from templates(body)
            yield from templates(other)
        case _:
            pass


def has_translation(sentence: str, known: Collection[str]) -> bool:
    """Return whether a catalogue has a sentence; what code chooses is never a value."""
    if sentence in known:
        return True
    pattern = re.compile("[^{}]+".join(map(re.escape, sentence.split("{}"))), re.DOTALL)
    return "{}" in sentence and any(pattern.fullmatch(one) for one in known)
