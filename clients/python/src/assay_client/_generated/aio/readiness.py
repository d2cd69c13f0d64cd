# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List


from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ..types.readiness import (
    ProjectReadinessSettings,
    RescoreProjectAnswer,
    SetReadinessSettingsChecksValue,
    TargetReadiness,
)


class AsyncReadinessOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def get_settings(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> ProjectReadinessSettings:
        """Get a project’s effective readiness settings.

        For each check: the default, the use case’s weight, the project’s changes and the effective
        value. Pass `settings_file` to `assay assess --settings` to get the same receipts locally.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_readiness_settings", {"project_id": project_id}, options)

    async def set_settings(
        self,
        *,
        project_id: str,
        checks: dict[str, SetReadinessSettingsChecksValue] | Omitted = OMITTED,
        loaders: List[str] | None | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> ProjectReadinessSettings:
        """Update a project’s readiness settings.

        Omitted fields keep their values; `null` resets one field, `{}` resets a check, and
        `"checks": {}` resets all checks. `loaders` replaces the stored list: the training loaders
        that decide whether a dataset loads. Out-of-range threshold offsets and weight factors are
        clamped and listed in `adjusted`. Episodes keep their receipts until the next rescore or
        run.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("set_readiness_settings", {"project_id": project_id, "checks": checks, "loaders": loaders}, options)

    async def get_target(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> TargetReadiness:
        """Get a project’s readiness for its target.

        Returns the target’s requirements and whether they are met, the action representation
        (inferred from names and from the effect of actions on the measured state), and the
        recommended policy class with the rules behind it and literature for and against. No policy
        is trained.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_target_readiness", {"project_id": project_id}, options)

    async def rescore_project(
        self,
        *,
        project_id: str,
        source_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> RescoreProjectAnswer:
        """Re-evaluate measured episodes with the current settings.

        No recording is read or decoded. For each source, a run evaluates the measurements of the
        latest finished assessment again and writes new receipts.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        source_id: Id: `src_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("rescore_project", {"project_id": project_id, "source_id": source_id}, options)
