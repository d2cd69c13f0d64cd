"""What is known of an operation at run time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Row:
    method: str
    path: str
    """With `{name}` where an argument goes."""
    kind: Literal["json", "events", "bytes", "nothing"]
    body: bool = False
    """Arguments that are not in the address are sent as JSON; else they are the query."""
    keyed: bool = False
    """Takes an `Idempotency-Key`."""
