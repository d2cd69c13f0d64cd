"""Builds requests from the arguments of operations."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from ._generated.rows import ROWS
from .options import OMITTED, CallOptions


@dataclass(frozen=True)
class Outgoing:
    """A request, the same for all attempts."""

    method: str
    path: str
    may_repeat: bool
    """Whether it is idempotent and may be repeated."""
    params: list[tuple[str, str]] = field(default_factory=list)
    json: Any = None
    content: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)


def outgoing_of(
    operation_id: str, given: Mapping[str, Any], options: CallOptions, *, whole_body: bool = False
) -> Outgoing:
    """Raises `KeyError` for an unknown operation, `ValueError` for an invalid path parameter."""
    row = ROWS[operation_id]
    rest = {name: value for name, value in given.items() if value is not OMITTED}
    path = re.sub(r"\{([^}]+)\}", lambda match: _segment(match[1], rest.pop(match[1], None)), row.path)
    headers: dict[str, str] = {}
    if row.keyed:
        headers["Idempotency-Key"] = options.idempotency_key or secrets.token_hex(16)
    if options.request_id is not None:
        headers["X-Request-Id"] = options.request_id
    return Outgoing(
        method=row.method,
        path=path,
        may_repeat=row.method != "POST" or row.keyed,
        params=[] if row.body else _query(rest),
        json=(rest.pop("body") if whole_body else rest) if row.body else None,
        headers=headers,
    )


def _segment(name: str, value: Any) -> str:
    """Rejects `.` and `..`, which would change the path, and empty values."""
    text = "" if value is None else str(value)
    if re.fullmatch(r"\.{0,2}", text):
        raise ValueError(f"{name} cannot be {text or 'empty'}")
    return quote(text, safe="")


def _query(members: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Repeats the name for each value of a list."""
    return [
        (name, _text(one))
        for name, value in members.items()
        for one in (value if isinstance(value, (list, tuple)) else [value])
        if one is not None
    ]


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
