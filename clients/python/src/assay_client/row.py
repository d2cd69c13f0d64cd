"""Runtime description of an operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Row:
    method: str
    path: str
    """Path template with `{name}` for arguments."""
    kind: Literal["json", "events", "bytes", "nothing"]
    body: bool = False
    """Whether arguments that are not in the path are sent as a JSON body instead of the query."""
    keyed: bool = False
    """Whether it takes an `Idempotency-Key`."""
