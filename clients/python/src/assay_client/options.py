"""What may differ from call to call."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal


class _Omission(Enum):
    OMITTED = "omitted"


Omitted = Literal[_Omission.OMITTED]
"""An argument that is not given. `None` is sent as null."""

OMITTED: Omitted = _Omission.OMITTED


@dataclass(frozen=True)
class CallOptions:
    timeout_s: float | None = None
    """Of one try, until its answer is read. Of a stream: how long nothing may come before it counts as cut."""
    tries: int | None = None
    """How often a call is tried in all, where trying again can help; 1: never again."""
    idempotency_key: str | None = None
    """Of operations that take one; made up for each call unless told. Every try of a call has the same."""
    request_id: str | None = None
    """Names the request in the service's logs and in its audit log."""
    last_event_id: str | None = None
    """Of streams: goes on after the event of this id."""


@dataclass(frozen=True)
class Patience:
    """How patient a client is."""

    tries: int = 4
    longest_wait_s: float = 30.0
    """The longest wait that a service may ask for before a next try. Longer: the refusal is raised."""
    timeout_s: float = 300.0
