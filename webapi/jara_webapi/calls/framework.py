"""Aliases for Falcon's types."""

from __future__ import annotations

from typing import TypeAlias

import falcon


class Request(falcon.Request):
    """A request whose context is a plain dict."""

    __slots__ = ()
    context_type = dict


Response: TypeAlias = falcon.Response
App: TypeAlias = falcon.App[Request, falcon.Response]
