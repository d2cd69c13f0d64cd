"""Decides when a call is retried."""

from __future__ import annotations

import random

from .errors import AssayApiError
from .options import Patience

_first_s = 0.5
_most_s = 8.0


def wait_before(error: AssayApiError, tried: int, patience: Patience, may_repeat: bool) -> float | None:
    """Seconds to wait before a retry; None if a retry cannot help.

    What was refused for its rate was not done, so that anything may be tried again; what failed on the way may have been
    done, so that only what may be repeated is.
    """
    is_away = error.code in ("unreachable", "timed_out") or error.status in (502, 503, 504)
    if tried >= patience.tries or not (error.status == 429 or (is_away and may_repeat)):
        return None
    if error.retry_after_s is None:
        return back_off_s(tried)
    return None if error.retry_after_s > patience.longest_wait_s else error.retry_after_s


def back_off_s(tried: int) -> float:
    """Exponential backoff with jitter."""
    return min(_most_s, _first_s * 2.0 ** (tried - 1)) * (0.5 + random.random() / 2)
