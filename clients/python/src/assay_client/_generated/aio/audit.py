# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations


from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.audit import (
    AuditEntry,
    AuditVerification,
)


class AsyncAuditOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def list(
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
        """List audit log entries, newest first.

        Requires the role `admin` or higher.

        from_: Time in UTC, RFC 3339.
        to: Time in UTC, RFC 3339.
        """
        return await self._calls.call("list_audit", {"limit": limit, "cursor": cursor, "actor": actor, "action": action, "object_id": object_id, "from": from_, "to": to}, options)

    async def verify(
        self,
        *,
        head: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AuditVerification:
        """Verify the integrity of the audit log.

        Checks the whole hash chain for entries that were changed, removed, reordered or inserted.
        With a `head` recorded earlier it also detects replacement of the whole log by another
        consistent one.

        Requires the role `admin` or higher.

        head: Sequence number and digest of an entry, separated by a colon.
        """
        return await self._calls.call("verify_audit", {"head": head}, options)
