"""Options of calls and clients."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal


class _Omission(Enum):
    OMITTED = "omitted"


Omitted = Literal[_Omission.OMITTED]
"""Default of omitted arguments. `None` is sent as null."""

OMITTED: Omitted = _Omission.OMITTED


@dataclass(frozen=True)
class CallOptions:
    timeout_s: float | None = None
    """Timeout of one attempt, including reading the response. For streams: time without data until it is reconnected."""
    tries: int | None = None
    """Maximum number of attempts if a retry can help; 1 disables retries."""
    idempotency_key: str | None = None
    """Idempotency key, for operations that take one; default: a random key per call, the same for all attempts."""
    request_id: str | None = None
    """Id of the request in the service's logs and audit log."""
    last_event_id: str | None = None
    """For streams: continue after the event with this id."""


@dataclass(frozen=True)
class Patience:
    """Retry settings of a client."""

    tries: int = 4
    longest_wait_s: float = 30.0
    """Longest accepted `Retry-After`; for a longer one the error is raised immediately."""
    timeout_s: float = 300.0
