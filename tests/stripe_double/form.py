"""Parses nested form fields and checks them against the SDK's types."""

import re
from functools import cache
from typing import Any, Union, get_args, get_origin
from urllib.parse import parse_qsl

from stripe._request_options import RequestOptions
from stripe._stripe_object import UntypedStripeObject
from typing_extensions import get_type_hints, is_typeddict

from tests.stripe_double.account import Refusal

_PART = re.compile(r"\[([^\]]*)\]")
_OPTIONS = set(RequestOptions.__annotations__)


def parse_form(text: str) -> dict[str, Any]:
    """Parse ``items[0][price]=…&metadata[a]=b`` to nested dictionaries and lists."""
    root: dict[str, Any] = {}
    for key, value in parse_qsl(text, keep_blank_values=True):
        first, _, _ = key.partition("[")
        path = [first, *_PART.findall(key)]
        place = root
        for part in path[:-1]:
            place = place.setdefault(part, {})
        place[path[-1]] = value
    return {key: _with_lists(value) for key, value in root.items()}


def require_known(params: dict[str, Any], kind: type | None) -> None:
    """Refuse parameters that the SDK's type of this call lacks, as Stripe does."""
    if kind is not None:
        _check(params, kind, "")


def is_true(value: Any) -> bool:
    """Parse a boolean."""
    return bool(value == "true")


def _with_lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    inner = {key: _with_lists(item) for key, item in value.items()}
    if inner and all(key.isdigit() for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def _check(value: Any, hint: Any, path: str) -> None:
    if isinstance(value, list):
        for item in value:
            _check(item, hint, f"{path}[0]")
        return
    if not isinstance(value, dict):
        _refuse_bare(value, hint, path)
        return
    shapes = [kind for kind in _flat(hint) if is_typeddict(kind)]
    if not shapes:
        return
    known: dict[str, Any] = {}
    for shape in shapes:
        known |= _hints(shape)
    for key, inner in value.items():
        name = f"{path}[{key}]" if path else key
        if key not in known:
            message = f"Received unknown parameter: {name}"
            raise Refusal(400, message, code="parameter_unknown", param=name)
        _check(inner, known[key], name)


def _refuse_bare(value: Any, hint: Any, path: str) -> None:
    kinds = _flat(hint)
    takes_text = any(not is_typeddict(kind) for kind in kinds)
    if kinds and not takes_text:
        raise Refusal(400, f"Invalid {path}: must be an object", param=path)
    if kinds == {int} and not str(value).lstrip("-").isdigit():
        raise Refusal(
            400, f"Invalid integer: {value}", code="parameter_invalid_integer", param=path
        )


@cache
def _hints(shape: type) -> dict[str, Any]:
    """Return the fields of a parameter type of the SDK, without its options."""
    fields = {key: hint for key, hint in shape.__annotations__.items() if key not in _OPTIONS}
    bare = type("Fields", (), {"__annotations__": fields, "__module__": shape.__module__})
    return get_type_hints(bare, localns={"UntypedStripeObject": UntypedStripeObject})


def _flat(hint: Any) -> set[Any]:
    """Return the alternatives of a type, with list types unpacked."""
    origin = get_origin(hint)
    if origin is list:
        return _flat(get_args(hint)[0])
    if (
        origin is Union
        or str(origin) == "<class 'types.UnionType'>"
        or "NotRequired" in str(origin)
    ):
        return {kind for part in get_args(hint) for kind in _flat(part)}
    return {hint} if origin is None else {origin}
