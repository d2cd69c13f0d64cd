# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Any, Literal


from ...calls import Calls
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


class AnnotationOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def get_settings(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> AnnotationSettings:
        """Get the annotation settings in effect for a project.

        Every layer with its mode, who set the mode, whether the project’s data can carry the layer,
        and its knobs; the models with their evidence; the presets; and what the next run would
        spend on layers.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_annotation_settings", {"project_id": project_id}, options)

    def set_settings(
        self,
        *,
        project_id: str,
        modes: dict[str, LayerMode] | Omitted = OMITTED,
        preset: Literal["readiness-only", "manipulation-qc", "egocentric-full", "drive-log-lite", "world-model", "everything"] | Omitted = OMITTED,
        config: dict[str, Any] | Omitted = OMITTED,
        models: dict[str, str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> AnnotationSettings:
        """Set which annotation layers a project runs, how, and with which models.

        A member that is left out keeps its value; an empty object resets it to what the workspace
        or the use case sets. A preset sets the mode of every layer; modes named beside it win.
        Knobs out of range are clamped, never refused. A model must be one of its surface’s options.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("set_annotation_settings", {"project_id": project_id, "modes": modes, "preset": preset, "config": config, "models": models}, options)

    def set_workspace_settings(
        self,
        *,
        workspace_id: str,
        modes: dict[str, LayerMode] | Omitted = OMITTED,
        preset: Literal["readiness-only", "manipulation-qc", "egocentric-full", "drive-log-lite", "world-model", "everything"] | Omitted = OMITTED,
        config: dict[str, Any] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> WorkspaceAnnotationSettings:
        """Set what a workspace’s projects inherit.

        Works as it does for a project. A project’s own settings win.

        Needs the role `engineer`.

        workspace_id: id, `ws_` and a time-ordered UUID in base32
        """
        return self._calls.call("set_workspace_annotation_settings", {"workspace_id": workspace_id, "modes": modes, "preset": preset, "config": config}, options)

    def get_status(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> AnnotationStatus:
        """Get the state of each annotation layer of a project.

        The state with its reason, how many of the episodes that can carry the layer do, whether the
        newest finished run made it, whether it can run here, and the job that is queued or running.
        Computed from what is stored at the time of the request.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_annotation_status", {"project_id": project_id}, options)

    def get_coverage(
        self,
        *,
        project_id: str,
        options: CallOptions | None = None,
    ) -> AnnotationCoverage:
        """Get the coverage and quality of each annotation layer, by kind of data.

        For each kind in the project, or only the pinned one: the number of episodes, how many carry
        the layer, and the mean of the layer’s quality signal over those where it could be measured.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_annotation_coverage", {"project_id": project_id}, options)

    def list_models(
        self,
        *,
        use_case: UseCaseName | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> ModelRegistry:
        """List model surfaces with their options and the evidence for each.

        A surface is what a model is used for. Each comes with its options, the one in effect unless
        a project chooses, who chose it, and the models that were rejected for their licence.

        Needs the role `viewer`.
        """
        return self._calls.call("list_models", {"use_case": use_case}, options)

    def set_models(
        self,
        *,
        models: dict[str, str],
        options: CallOptions | None = None,
    ) -> ModelRegistry:
        """Choose models for all projects of the tenant.

        Replaces the earlier choice; an empty object clears it. A project’s choice wins over the
        tenant’s, and the service’s configuration wins over both. A model must be one of its
        surface’s options.

        Needs the role `admin`.
        """
        return self._calls.call("set_models", {"models": models}, options)
