"""Fills the places of legal texts, which are Jinja templates of values and choices alone.

A text may say something else where a value is missing::

    {% if privacy_officer and contact_email %}Write to {{ privacy_officer }} at {{ contact_email }}.
    {% elif contact_email %}Write to {{ contact_email }}.
    {% else %}Write to us.{% endif %}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, nodes
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import SandboxedEnvironment

from jara.domain.errors import InvalidInput
from jara.domain.legal.places import OLD_MARK, PLACES, new_form

_NODES = frozenset({"Template", "Output", "TemplateData", "Name", "If", "And", "Or", "Not"})
"""What a text may have of Jinja: values, and choices by whether they are there."""


class _Absent(str):
    """Stands for a value that is missing; a choice takes it for false."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False


# Texts are Markdown; `fill_places` gets a function that escapes values.
_TEMPLATES = SandboxedEnvironment(
    autoescape=False, keep_trailing_newline=True, undefined=StrictUndefined
)


@lru_cache(maxsize=16)
def _template(text: str) -> Template:
    return _TEMPLATES.from_string(text)


def check_places(text: str) -> None:
    """Check that a text has only values and choices, and that their places exist.

    Raises:
        InvalidInput: it has something else; the message names it and the line.
    """
    if old := OLD_MARK.search(text):
        raise InvalidInput(
            f"{old[0]} is the form of Jara 0.2; write {new_form(old[0])}. `jara legal export` "
            "writes the text that is in effect in the new form."
        )
    try:
        tree = _TEMPLATES.parse(text)
    except TemplateSyntaxError as error:
        raise InvalidInput(f"Line {error.lineno} of the text: {error.message}") from None
    for node in tree.find_all(nodes.Node):
        if type(node).__name__ not in _NODES:
            raise InvalidInput(
                f"Line {node.lineno} of the text: only values, {{{{ place }}}}, and choices, "
                "{% if place %}, are allowed."
            )
    for name in sorted(places_of(text) - PLACES.keys()):
        places = ", ".join(f"{{{{ {one} }}}}" for one in PLACES)
        raise InvalidInput(f"{{{{ {name} }}}} is not a place of a legal text; there are {places}.")


@lru_cache(maxsize=16)
def places_of(text: str) -> frozenset[str]:
    """Return the names of the places that a text uses, also in parts that are not shown."""
    return frozenset(find_undeclared_variables(_TEMPLATES.parse(text)))


def fill_places(
    text: str, values: Mapping[str, str], absent: str, write: Callable[[str], str] = str
) -> str:
    """Return a text with its values.

    Args:
        text: the text, which was checked.
        absent: stands for a value that is missing where the text has no other words.
        write: writes a value, for example with its characters escaped.
    """
    words = {name: write(value) for name, value in values.items() if value}
    return _template(text).render({**dict.fromkeys(PLACES, _Absent(absent)), **words})
