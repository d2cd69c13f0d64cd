# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations


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
        """Get the readiness settings in effect for a project.

        Each check with its default, the use case’s weight, what the project stores, and the
        effective value. `settings_file` is what `assay assess --settings` takes to make the same
        receipts.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_readiness_settings", {"project_id": project_id}, options)

    async def set_settings(
        self,
        *,
        project_id: str,
        checks: dict[str, SetReadinessSettingsChecksValue] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> ProjectReadinessSettings:
        """Set how a project’s checks differ from what it inherits.

        What is left out stays; null resets one member, `{}` a check, and `"checks": {}` all.
        Offsets and factors out of bounds are clamped, and `adjusted` names them. Episodes keep
        their receipts until a rescore or a run.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("set_readiness_settings", {"project_id": project_id, "checks": checks}, options)

    async def get_target(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> TargetReadiness:
        """Get the readiness of a project’s data for its target.

        The target’s requirements, met or not; how actions are stored, from their names and their
        effect on the measured state; and which kind of policy they suit, by listed rules, with the
        literature that disagrees. No policy is trained.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_target_readiness", {"project_id": project_id}, options)

    async def rescore_project(
        self,
        *,
        project_id: str,
        source_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> RescoreProjectAnswer:
        """Judge again what was measured, under the current settings.

        Nothing is read or decoded: a run for each source judges the measurements of its newest
        finished assessment and seals new receipts.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        source_id: id, `src_` and a time-ordered UUID in base32
        """
        return await self._calls.call("rescore_project", {"project_id": project_id, "source_id": source_id}, options)
