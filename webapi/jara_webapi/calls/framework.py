"""Names for the framework's types, said once."""

from __future__ import annotations

from typing import TypeAlias

import falcon


class Request(falcon.Request):
    """A request; what middleware notes of it is in a plain dict, the quickest there is."""

    __slots__ = ()
    context_type = dict


Response: TypeAlias = falcon.Response
App: TypeAlias = falcon.App[Request, falcon.Response]
