# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations


from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.audit import (
    AuditEntry,
    AuditVerification,
)


class AuditOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        actor: str | Omitted = OMITTED,
        action: str | Omitted = OMITTED,
        object_id: str | Omitted = OMITTED,
        from_: str | Omitted = OMITTED,
        to: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[AuditEntry]:
        """Read the audit log, newest first.

        Needs the role `admin`.

        from_: RFC 3339, UTC
        to: RFC 3339, UTC
        """
        return self._calls.call("list_audit", {"limit": limit, "cursor": cursor, "actor": actor, "action": action, "object_id": object_id, "from": from_, "to": to}, options)

    def verify(
        self,
        *,
        head: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AuditVerification:
        """Check that no row of the audit log was changed, removed, moved or added.

        Walks the whole chain. With a `head` written down earlier it also finds out whether the log
        was replaced since by another that holds together.

        Needs the role `admin`.

        head: sequence and digest of a row, with a colon between
        """
        return self._calls.call("verify_audit", {"head": head}, options)
