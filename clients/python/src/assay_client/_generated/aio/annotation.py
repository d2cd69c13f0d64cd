# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Any, Literal


from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ..types.annotation import (
    AnnotationCoverage,
    AnnotationSettings,
    AnnotationStatus,
    LayerMode,
    ModelRegistry,
    WorkspaceAnnotationSettings,
)
from ..types.shared import (
    UseCaseName,
)


class AsyncAnnotationOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def get_settings(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> AnnotationSettings:
        """Get a project’s effective annotation settings.

        Returns every layer with its mode, where the mode was set, whether it applies to the
        project’s data, and its settings; the available models with benchmark evidence; the presets;
        and the estimated annotation cost of the next run.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_annotation_settings", {"project_id": project_id}, options)

    async def set_settings(
        self,
        *,
        project_id: str,
        modes: dict[str, LayerMode] | Omitted = OMITTED,
        preset: Literal["readiness-only", "manipulation-qc", "egocentric-full", "drive-log-lite", "world-model", "everything"] | Omitted = OMITTED,
        config: dict[str, Any] | Omitted = OMITTED,
        models: dict[str, str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AnnotationSettings:
        """Update a project’s annotation settings.

        Sets layer modes, layer settings and models. Omitted fields keep their values; an empty
        object resets a field to the value inherited from the workspace or use case. A preset sets
        the mode of every layer; modes sent with it take precedence. Out-of-range layer settings are
        clamped and unknown ones are dropped; both are listed in `adjusted`. Each model must be one
        of the options of its surface.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("set_annotation_settings", {"project_id": project_id, "modes": modes, "preset": preset, "config": config, "models": models}, options)

    async def get_workspace_settings(
        self,
        *,
        workspace_id: str,
        options: CallOptions | None = None,
    ) -> WorkspaceAnnotationSettings:
        """Get the annotation settings that a workspace’s projects inherit.

        Returns only what is stored for the workspace; the defaults of its use case apply to the
        rest.

        Requires the role `viewer` or higher.

        workspace_id: Id: `ws_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_workspace_annotation_settings", {"workspace_id": workspace_id}, options)

    async def set_workspace_settings(
        self,
        *,
        workspace_id: str,
        modes: dict[str, LayerMode] | Omitted = OMITTED,
        preset: Literal["readiness-only", "manipulation-qc", "egocentric-full", "drive-log-lite", "world-model", "everything"] | Omitted = OMITTED,
        config: dict[str, Any] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> WorkspaceAnnotationSettings:
        """Update the annotation settings that a workspace’s projects inherit.

        Same rules as for a project. Project settings take precedence over workspace settings.

        Requires the role `engineer` or higher.

        workspace_id: Id: `ws_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("set_workspace_annotation_settings", {"workspace_id": workspace_id, "modes": modes, "preset": preset, "config": config}, options)

    async def get_status(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> AnnotationStatus:
        """Get the status of each annotation layer of a project.

        Returns each layer’s state and reason, the number of annotated and applicable episodes,
        whether the latest finished run produced it, whether it can run on this installation, and
        its open job. Computed at the time of the request.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_annotation_status", {"project_id": project_id}, options)

    async def get_coverage(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> AnnotationCoverage:
        """Get annotation coverage and quality by layer and data kind.

        For each data kind in the project (or only the pinned kind): number of episodes, number with
        the layer, and the mean of the layer’s quality signal over the episodes where it was
        measured, or the reason why there is none.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_annotation_coverage", {"project_id": project_id}, options)

    async def list_models(
        self,
        *,
        use_case: UseCaseName | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> ModelRegistry:
        """List the models available for each task, with benchmark evidence.

        A surface is a task that a model performs, such as `detection`. For each surface: its
        options, the model used unless a project chooses another, where that choice was made, and
        the models rejected because of their licence.

        Requires the role `viewer` or higher.
        """
        return await self._calls.call("list_models", {"use_case": use_case}, options)

    async def set_models(
        self,
        *,
        models: dict[str, str],
        options: CallOptions | None = None,
    ) -> ModelRegistry:
        """Set the tenant’s default models.

        Replaces the previous choice; an empty object clears it. A project’s choice overrides the
        tenant’s, and the service configuration overrides both. Each model must be one of the
        options of its surface.

        Requires the role `admin` or higher.
        """
        return await self._calls.call("set_models", {"models": models}, options)
