# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from .shared import (
    Role,
)


class AuditEntry(TypedDict):
    id: str
    sequence: int
    at: str
    actor_id: str
    actor_name: str
    role: Role
    action: str
    object_type: str
    object_id: str
    before_hash: str | None
    after_hash: str | None
    detail: dict[str, Any]
    request_id: str
    previous_digest: str
    digest: str


class AuditHead(TypedDict):
    sequence: int
    digest: str


class AuditVerificationFault(TypedDict):
    kind: Literal["changed", "rewritten", "missing", "reordered", "added"]
    sequence: int
    message: str


class AuditVerification(TypedDict):
    intact: bool
    rows: int
    head: AuditHead | None
    fault: AuditVerificationFault | None
