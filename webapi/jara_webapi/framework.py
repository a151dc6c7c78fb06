"""Names for the framework's types, said once."""

from __future__ import annotations

from typing import TypeAlias

import falcon

Request: TypeAlias = falcon.Request
Response: TypeAlias = falcon.Response
App: TypeAlias = falcon.App[falcon.Request, falcon.Response]
