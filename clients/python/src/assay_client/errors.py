"""Errors of API calls."""

from __future__ import annotations

from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, cast

import httpx


class AssayApiError(Exception):
    """The only exception class that the client raises itself."""

    code: str
    """An error code of the API, or of the client: `unreachable`, `timed_out`, `unexpected_answer`."""
    status: int | None
    """HTTP status; None without a response."""
    advice: str | None
    """What to do next."""
    errors: list[dict[str, str]]
    """Errors in the request: JSON pointers such as `/body/name`, each with a message."""
    details: dict[str, Any]
    """Additional fields of some codes, such as `required_role`."""
    request_id: str | None
    """Id of the request in the service's logs."""
    retry_after_s: float | None
    """Seconds that the service asks to wait before a retry."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        advice: str | None = None,
        errors: list[dict[str, str]] | None = None,
        details: dict[str, Any] | None = None,
        request_id: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.advice = advice
        self.errors = errors or []
        self.details = details or {}
        self.request_id = request_id
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        places = [f"{place['pointer']}: {place['message']}" for place in self.errors]
        return "\n".join([super().__str__(), *places, *([self.advice] if self.advice else [])])


_own = {"type", "title", "status", "instance", "code", "detail", "advice", "errors", "request_id"}


def refusal_of(answer: httpx.Response) -> AssayApiError:
    """The error in a response, or `unexpected_answer` if it is not from the service. The body must have been read."""
    retry_after_s = _seconds_in(answer.headers.get("retry-after"))
    told = _json_of(answer)
    if not isinstance(told.get("code"), str) or not isinstance(told.get("detail"), str):
        return AssayApiError(
            "unexpected_answer",
            f"{answer.url} returned HTTP {answer.status_code}",
            status=answer.status_code,
            request_id=answer.headers.get("x-request-id"),
            retry_after_s=retry_after_s,
        )
    return AssayApiError(
        told["code"],
        told["detail"],
        status=answer.status_code,
        advice=told.get("advice"),
        errors=told.get("errors"),
        details={name: value for name, value in told.items() if name not in _own},
        request_id=told.get("request_id"),
        retry_after_s=retry_after_s,
    )


def failure_of(address: str, thrown: httpx.HTTPError) -> AssayApiError:
    """No response, or not in time."""
    if isinstance(thrown, httpx.TimeoutException):
        return AssayApiError("timed_out", f"no response from the service at {address} in time")
    why = str(thrown) or type(thrown).__name__
    return AssayApiError("unreachable", f"cannot reach the service at {address}: {why}")


def _json_of(answer: httpx.Response) -> dict[str, Any]:
    try:
        told = answer.json()
    except ValueError:
        return {}
    return cast("dict[str, Any]", told) if isinstance(told, dict) else {}


def _seconds_in(header: str | None) -> float | None:
    """`Retry-After` is a number of seconds or a date."""
    if header is None:
        return None
    if header.isdigit():
        return float(header)
    try:
        until = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (until - datetime.now(timezone.utc)).total_seconds())
