# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict


class Health(TypedDict):
    status: Literal["ok"]


class Readiness(TypedDict):
    status: Literal["ready"]
    database: Literal["embedded", "server"]
